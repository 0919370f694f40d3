/**
 * Waits for operations that Azure carries out after it accepted them. The SDK's own poller would wait on the real
 * clock, and would read the whole resource again at the end.
 */
import {
  createDefaultHttpClient,
  createPipelineRequest,
  RestError,
} from '@azure/core-rest-pipeline';
import { printable } from '@tandem/core/node-address';
import { fieldOf } from '@tandem/provider/calls';
import { type Clock, parseRetryAfter, sleep } from '@tandem/runtime';
import type { Arm } from '../arm.ts';
import type { Clients } from '../clients.ts';
import { AzureError } from '../failure.ts';
import type { Headers } from '../remaining-calls.ts';
import type { Scope } from '../resource-id.ts';

/** The first wait, because Azure takes at least seconds. If Azure names no wait, each wait is twice the last one. */
const firstWaitMs = 1_000;
const waitMsMax = 10_000;

/** The number of polls in a row that fail before the outcome counts as unknown. */
const failuresMax = 5;

export interface Accepted {
  readonly status: number;
  readonly headers: Headers;
}

export interface FinishOptions extends Scope {
  readonly signal: AbortSignal;
}

type Poll =
  | { readonly kind: 'running'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'done' };

export class Operations {
  readonly #arm: Arm;
  readonly #clients: Clients;
  readonly #clock: Clock;
  readonly #http = createDefaultHttpClient();

  constructor(arm: Arm, clients: Clients, clock: Clock) {
    this.#arm = arm;
    this.#clients = clients;
    this.#clock = clock;
  }

  /** Resolves when the operation has succeeded. Rejects if it failed or its outcome is unknown. */
  async finish(accepted: Accepted, options: FinishOptions): Promise<void> {
    const { headers, status } = accepted;
    const url =
      headers.get('azure-asyncoperation') ?? (status === 202 ? headers.get('location') : undefined);
    if (url === undefined) return;
    let retryAfterMs = this.#retryAfterOf(headers);
    let failures = 0;
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, waitMsMax)) {
      await sleep(this.#clock, retryAfterMs ?? waitMs, options.signal);
      try {
        const poll = await this.#poll(url, options);
        if (poll.kind === 'done') return;
        retryAfterMs = poll.retryAfterMs;
        failures = 0;
      } catch (err) {
        if (!(err instanceof AzureError) || err.code === 'AzureOperationFailed') throw err;
        if (++failures >= failuresMax) throw unknownOutcome(err);
        retryAfterMs = typeof err.retry === 'object' ? err.retry.afterMs : undefined;
      }
    }
  }

  async #poll(
    url: string,
    { subscriptionId, resourceGroup, signal }: FinishOptions,
  ): Promise<Poll> {
    const call = {
      type: 'operations',
      request: 'operations_get',
      what: `read the state of an operation in resource group ${resourceGroup}`,
      subscriptionId,
      resourceGroup,
      signal,
    };
    return this.#arm.call(call, async () => {
      const { pipeline } = await this.#clients.network(subscriptionId);
      const request = createPipelineRequest({ url });
      const response = await pipeline.sendRequest(this.#http, request);
      const { status, headers } = response;
      const body = parse(response.bodyAsText);
      if (status >= 400) {
        const code = fieldOf(fieldOf(body, 'error'), 'code');
        throw new RestError(`the answer was ${status}`, {
          statusCode: status,
          ...(typeof code === 'string' && { code }),
          request,
          response,
        });
      }
      const isRunning = status === 202 || isInProgress(body);
      return isRunning
        ? { kind: 'running', retryAfterMs: this.#retryAfterOf(headers) }
        : { kind: 'done' };
    });
  }

  #retryAfterOf(headers: Headers): number | undefined {
    return parseRetryAfter(headers.get('retry-after'), this.#clock.now());
  }
}

/**
 * Returns whether the operation is still running, and throws if it failed. A body without a status is the resource
 * itself.
 */
function isInProgress(body: unknown): boolean {
  const status = fieldOf(body, 'status');
  if (typeof status !== 'string') return false;
  switch (status.toLowerCase()) {
    case 'succeeded':
      return false;
    case 'failed':
    case 'canceled': {
      const error = fieldOf(body, 'error');
      const [code, message] = [fieldOf(error, 'code'), fieldOf(error, 'message')].map((text) =>
        typeof text === 'string' ? printable(text, 200) : '',
      );
      const text = `Azure failed to carry out a change of the route table: ${code || status}: ${message}`;
      throw new AzureError('AzureOperationFailed', text, { effect: 'unknown', azureCode: code });
    }
    default:
      return true;
  }
}

/**
 * Returns the error with an unknown effect: Azure accepted the write, so it may carry it out although no answer says
 * so.
 */
function unknownOutcome({ message, azureCode }: AzureError): AzureError {
  return new AzureError('AzureCallFailed', message, { effect: 'unknown', azureCode });
}

function parse(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
