/**
 * How the Resource Manager is called. Each call is one attempt, counted with those of its type of resource
 * and its direction, as Azure counts them. The SDK passes an abort signal on to the first page of a list
 * only; here a policy puts the signal of the call under way into every request. What goes wrong comes out as
 * an `AzureError`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import { ApiCalls, CallPausedError, ClockSkew, type Rate, Turns } from '@tandem/provider/calls';
import type { Clock, Logger } from '@tandem/runtime';
import type { AzureMetrics, AzureRequest } from './azure-metrics.ts';
import { deniedActionOf, failureOf, readThrottling } from './call-failure.ts';
import { isRunningOut } from './remaining-calls.ts';

/** Lists of hundreds of machines take Azure seconds. */
const callDeadlineMs = 30_000;

export interface ArmCall extends AzureRequest {
  /** What Azure counts together: `virtualMachines`. */
  readonly type: string;
  /** What is to be done, for people: `list virtual machines in resource group blue`. */
  readonly what: string;
  /** Which keys of azure.json say where that is, if not the usual ones. */
  readonly scopeKeys?: string | undefined;
  readonly signal: AbortSignal;
  /** Called right before a request that changes something. */
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
  /** Azure refused a token that should have been good, or Entra ID gave none. */
  readonly onTokenRefused: () => void;
}

interface CallUnderWay {
  readonly signal: AbortSignal;
  readonly bucket: string;
  readonly isWrite: boolean;
  /** What the answer says that the SDK's errors do not. */
  readonly seen: { deniedAction?: string | undefined };
}

export class Arm {
  /** For the clients that are called through this. */
  readonly policy: PipelinePolicy;
  readonly #options: ArmOptions;
  readonly #calls: ApiCalls;
  readonly #skew: ClockSkew;
  /** Of answers that have arrived: the SDK parses them next. */
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
      const answer = await this.#calls.run({ bucket, isWrite, signal: call.signal }, (signal) => {
        call.beforeWrite?.();
        begunAtMs = clock.monotonic();
        return this.#underWay.run({ signal, bucket, isWrite, seen }, () => send(signal));
      });
      metrics.sent(call, clock.monotonic() - (begunAtMs ?? clock.monotonic()));
      return answer;
    } catch (err) {
      call.signal.throwIfAborted();
      // The gate is closed: nothing was sent, and nothing of Azure's failed.
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
