/**
 * The API client on any transport: it waits for a slot, sends the request, reads the answer and
 * interprets it, all within one deadline. It retries only where that is safe. It never repeats a write
 * whose effect is unknown: only the caller can tell, by reading back, whether a repetition is right (P7).
 */
import { type Clock, deadline, type Metrics, type Random, sleep } from '@tandem/runtime';
import type { KubeTransport } from '../transport/index.ts';
import { CallTimedOutError, effectAtDeadline } from './call-errors.ts';
import { type Answer, ApiError, type Call, type KubeClient } from './client.ts';
import { clientMetrics } from './client-metrics.ts';
import { exchange, openStream } from './exchange.ts';
import { type RequestPriority, RequestSlots } from './request-slots.ts';
import { type RateLimit, RequestRate } from './request-rate.ts';
import { type ApiRequest, isMutating, methodOf, requestOf, streamRequestOf } from './request.ts';
import { requestRetryDelayMs } from './retry-policy.ts';

export interface KubeClientOptions {
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** The address of the API server, for errors and for the label `host`. */
  readonly server?: string;
  /** Concurrent requests, without watches. */
  readonly concurrency?: number;
  /** Requests per second, including retries and the opening of watches. Unlimited by default. */
  readonly rate?: RateLimit | undefined;
  /**
   * The longest time for any write. A leader's writes must end before its successor may start, so this is
   * the elector's `writeLimitMs`.
   */
  readonly writeLimitMsMax?: number;
  /**
   * How long the server may work on a write. Without it the server continues for up to 34 s after the
   * client gave up, and a write of a former leader could be stored long after its successor began.
   */
  readonly writeTimeoutMs?: number;
  readonly answerBytesMax?: number;
  /** Called before each write and again when a socket takes it. An error stops the write. */
  readonly writeGate?: () => Error | undefined;
}

/** The field manager of everything that Tandem writes. */
export const fieldManager = 'tandem';

/** For calls that name no limit of their own. */
const limitMsDefault = 30_000;

/** One connection each with HTTP/1.1: enough to keep a small API server busy. */
const concurrencyDefault = 16;

/** Longer than any healthy write takes, and shorter than the gap between two leaders. */
const writeTimeoutMsDefault = 4_000;

/** More than twice the size of 5,000 nodes of 9.4 KB as one unpaged JSON list. */
const answerBytesMaxDefault = 128 * 1024 * 1024;

export function createKubeClient(options: KubeClientOptions): KubeClient {
  const { clock, server = 'the API server', concurrency = concurrencyDefault } = options;
  const { writeTimeoutMs = writeTimeoutMsDefault } = options;
  const random = options.random.fork('kube-client');
  const slots = new RequestSlots(concurrency);
  const parts = {
    transport: options.transport,
    clock,
    metrics: clientMetrics(options.metrics, hostOf(options.server)),
    server,
    answerBytesMax: options.answerBytesMax ?? answerBytesMaxDefault,
    writeGate: options.writeGate ?? (() => undefined),
  };

  const rate = options.rate && new RequestRate(options.rate, clock);
  /** Waits until the rate limit, if there is one, admits the request. */
  const keepToRate =
    rate &&
    (async (request: ApiRequest, priority: RequestPriority): Promise<void> => {
      const startMs = clock.monotonic();
      await rate.take(priority, request.signal);
      parts.metrics.heldBack(request.method, clock.monotonic() - startMs);
    });

  const limitOf = ({ verb, limitMs = limitMsDefault }: Call): number =>
    isMutating(methodOf(verb))
      ? Math.min(limitMs, options.writeLimitMsMax ?? Number.POSITIVE_INFINITY)
      : limitMs;

  /** One try, from the wait for a slot to the end of the answer. */
  const attempt = async (
    request: ApiRequest,
    { priority, limitMs }: { priority: RequestPriority; limitMs: number },
  ): Promise<Answer> => {
    let wasHandedOver = false;
    try {
      const begin = (): Promise<Answer> => {
        wasHandedOver = true;
        return exchange(parts, request);
      };
      return await slots.run(priority, request.signal, () =>
        keepToRate === undefined ? begin() : keepToRate(request, priority).then(begin),
      );
    } catch (err) {
      if (!request.signal.aborted) throw err;
      const effect = effectAtDeadline(request, { wasHandedOver, err });
      throw new CallTimedOutError(request, { limitMs, server, effect, cause: err });
    }
  };

  return {
    async call(call) {
      const { priority = 'state', retries } = call;
      const limitMs = limitOf(call);
      const endMs = clock.monotonic() + limitMs;
      using scope = deadline(clock, limitMs, call.signal);
      const request = requestOf(call, { fieldManager, writeTimeoutMs, signal: scope.signal });
      const isRead = !isMutating(request.method);
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(request, { priority, limitMs });
        } catch (err) {
          if (call.signal?.aborted) throw call.signal.reason;
          const delayMs = requestRetryDelayMs(err, { tries, isRead, random, retries });
          // A wait that outlasts the deadline would only hide the failure behind a time-out.
          if (delayMs === undefined || clock.monotonic() + delayMs >= endMs) throw err;
          const outcome = err instanceof ApiError ? err.status.code : '<error>';
          parts.metrics.retried(request.method, outcome);
          await sleep(clock, delayMs, scope.signal);
        }
      }
    },

    async open(call) {
      const { limitMs = limitMsDefault } = call;
      using head = deadline(clock, limitMs);
      const signal = AbortSignal.any([head.signal, call.signal]);
      const request = streamRequestOf(call, signal);
      try {
        await keepToRate?.(request, 'state');
        return await openStream(parts, request);
      } catch (err) {
        if (call.signal.aborted) throw call.signal.reason;
        if (!head.signal.aborted) throw err;
        throw new CallTimedOutError(request, { limitMs, server, effect: 'none', cause: err });
      }
    },
  };
}

function hostOf(server: string | undefined): string {
  return server !== undefined && URL.canParse(server) ? new URL(server).host : '';
}
