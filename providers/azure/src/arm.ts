/**
 * Calls the Resource Manager. Each call is one attempt. Calls are limited by type of resource, and reads and writes
 * separately, as Azure limits them. The SDK passes an abort signal only to the first page of a list, so a policy here
 * puts the signal of the current call into every request. Every failure is an `AzureError`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { ApiCalls, CallPausedError, ClockSkew, type Rate, Turns } from '@tandem/provider/calls';
import type { Clock, Logger } from '@tandem/runtime';
import type { AzureMetrics, AzureRequest } from './azure-metrics.ts';
import { deniedActionOf, failureOf, readThrottling } from './call-failure.ts';
import { isRunningOut } from './remaining-calls.ts';

/** Azure takes seconds to list hundreds of machines. */
const callDeadlineMs = 30_000;

export interface ArmCall extends AzureRequest {
  /** The type of resource, which Azure limits as one group: `virtualMachines`. */
  readonly type: string;
  /** The action in words, for messages: `list virtual machines in resource group blue`. */
  readonly what: string;
  /** The keys of azure.json that say where the resource is, if not the usual ones. */
  readonly scopeKeys?: string | undefined;
  readonly signal: AbortSignal;
  /** Called right before a request that writes. */
  readonly beforeWrite?: () => void;
}

export interface ArmRates {
  readonly reads: Rate;
  readonly writes: Rate;
}

export interface ArmOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: AzureMetrics;
  readonly rates: ArmRates;
  /** Called when Azure refused a token that should be valid, or Entra ID issued none. */
  readonly onTokenRefused: () => void;
}

interface CallUnderWay {
  readonly signal: AbortSignal;
  readonly bucket: string;
  readonly isWrite: boolean;
  /** Details of the answer that the SDK's errors lack. */
  readonly seen: { deniedAction?: string | undefined };
}

export class Arm {
  /** The policy for all clients that are called through this object. */
  readonly policy: PipelinePolicy;
  readonly #options: ArmOptions;
  readonly #calls: ApiCalls;
  readonly #skew: ClockSkew;
  /** Lets one answer through in each turn of the event loop, because the SDK parses it next. */
  readonly #turns = new Turns();
  readonly #underWay = new AsyncLocalStorage<CallUnderWay>();

  constructor(options: ArmOptions) {
    const { clock, logger, rates } = options;
    this.#options = options;
    this.#skew = new ClockSkew(clock, logger, 'Azure');
    this.#calls = new ApiCalls({
      clock,
      deadlineMs: callDeadlineMs,
      rateOf: (bucket) => (bucket.endsWith(writeSuffix) ? rates.writes : rates.reads),
      readThrottling: (err) => readThrottling(err, clock.now()),
    });
    this.policy = {
      name: 'tandemCall',
      sendRequest: (request, next) => this.#observe(request, next),
    };
  }

  async call<T>(call: ArmCall, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, metrics } = this.#options;
    const isWrite = call.beforeWrite !== undefined;
    const bucket = `${call.type}${isWrite ? writeSuffix : ' reads'}`;
    const seen: { deniedAction?: string | undefined } = {};
    let begunAtMs: number | undefined;
    try {
      return await this.#calls.run({ bucket, isWrite, signal: call.signal }, (signal) => {
        call.beforeWrite?.();
        begunAtMs = clock.monotonic();
        return this.#underWay.run({ signal, bucket, isWrite, seen }, () => send(signal));
      });
    } catch (err) {
      call.signal.throwIfAborted();
      // The gate before the write threw: nothing was sent, and Azure did not fail.
      if (begunAtMs === undefined && isWrite && !(err instanceof CallPausedError)) throw err;
      this.#count(call, err);
      const clockAdvice = this.#skew.advice;
      const restsForMs = this.#calls.restsForMs(bucket);
      const { what, scopeKeys } = call;
      const failure = failureOf(
        { what, scopeKeys, isWrite, ...seen, clockAdvice, restsForMs },
        err,
      );
      if (failure.code === 'AzureTokenRefused') this.#options.onTokenRefused();
      throw failure;
    } finally {
      if (begunAtMs !== undefined) metrics.sent(call, clock.monotonic() - begunAtMs);
    }
  }

  #count(call: ArmCall, err: unknown): void {
    const { metrics, clock } = this.#options;
    if (err instanceof CallPausedError) return metrics.rateLimited(call);
    metrics.failed(call);
    if (readThrottling(err, clock.now()) !== undefined) metrics.throttled(call);
  }

  #observe: PipelinePolicy['sendRequest'] = async (request, next) => {
    const call = this.#underWay.getStore();
    if (call !== undefined) request.abortSignal = call.signal;
    const begunAtMs = this.#options.clock.now();
    const response = await next(request);
    this.#skew.note(response.headers.get('date'), begunAtMs);
    if (call !== undefined && isRunningOut(response.headers, call.isWrite)) {
      this.#calls.slowDown(call.bucket);
    }
    if (call !== undefined && response.status === 403) {
      call.seen.deniedAction = deniedActionOf(response.bodyAsText ?? '');
    }
    await this.#turns.next();
    return response;
  };
}

const writeSuffix = ' writes';
