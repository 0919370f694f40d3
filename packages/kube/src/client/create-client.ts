/**
 * The API client on any transport: it waits for a slot, sends the request, reads the answer and
 * interprets it, all within one deadline. It retries only where that is safe. It never repeats a write
 * whose effect is unknown: only the caller can tell, by reading back, whether a repetition is right (P7).
 */
import {
  CcmError,
  type Clock,
  deadline,
  type Effect,
  type Metrics,
  type Random,
  sleep,
} from '@tandem/runtime';
import type { KubeTransport } from '../transport/index.ts';
import { type Answer, ApiError, CallTimedOutError, type KubeClient } from './client.ts';
import { clientMetrics } from './client-metrics.ts';
import { exchange, openStream } from './exchange.ts';
import { type RequestPriority, RequestSlots } from './request-slots.ts';
import { type RateLimit, RequestRate } from './request-rate.ts';
import { type ApiRequest, isMutating, methods, requestOf, resourcePath } from './request.ts';
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
  readonly writeGate?: () => CcmError | undefined;
}

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
  const { writeLimitMsMax = Number.POSITIVE_INFINITY } = options;
  const random = options.random.fork('kube-client');
  const metrics = clientMetrics(options.metrics, hostOf(options.server));
  const slots = new RequestSlots(concurrency);
  const parts = {
    transport: options.transport,
    clock,
    metrics,
    server,
    answerBytesMax: options.answerBytesMax ?? answerBytesMaxDefault,
    writeGate: options.writeGate ?? (() => undefined),
  };

  const rate = options.rate && new RequestRate(options.rate, clock);
  const keepToRate = async (request: ApiRequest, priority: RequestPriority): Promise<void> => {
    if (rate === undefined) return;
    const startMs = clock.monotonic();
    await rate.take(priority, request.signal);
    metrics.heldBack(request.method, clock.monotonic() - startMs);
  };

  /** One try, from the wait for a slot to the end of the answer. */
  const attempt = async (
    request: ApiRequest,
    { priority, limitMs }: { priority: RequestPriority; limitMs: number },
  ): Promise<Answer> => {
    let wasHandedOver = false;
    try {
      return await slots.run(priority, request.signal, async () => {
        await keepToRate(request, priority);
        wasHandedOver = true;
        return exchange(parts, request);
      });
    } catch (err) {
      if (!request.signal.aborted) throw err;
      const effect = wasHandedOver ? effectAtDeadline(request, err) : 'none';
      throw new CallTimedOutError(request, { limitMs, server, effect, cause: err });
    }
  };

  return {
    async call(call) {
      const { verb, priority = 'state', retries } = call;
      const isRead = !isMutating(methods[verb]);
      const { limitMs: askedMs = limitMsDefault } = call;
      const limitMs = isRead ? askedMs : Math.min(askedMs, writeLimitMsMax);
      const endMs = clock.monotonic() + limitMs;
      using scope = deadline(clock, limitMs, call.signal);
      const request = requestOf(call, { writeTimeoutMs, signal: scope.signal });
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(request, { priority, limitMs });
        } catch (err) {
          if (call.signal?.aborted) throw call.signal.reason;
          const delayMs = requestRetryDelayMs(err, { tries, isRead, random, retries });
          // A wait that outlasts the deadline would only hide the failure behind a time-out.
          if (delayMs === undefined || clock.monotonic() + delayMs >= endMs) throw err;
          metrics.retried(request.method, err instanceof ApiError ? err.status.code : '<error>');
          await sleep(clock, delayMs, scope.signal);
        }
      }
    },

    async open({ resource, query, accept, limitMs = limitMsDefault, signal: caller }) {
      using head = deadline(clock, limitMs);
      const signal = AbortSignal.any([head.signal, caller]);
      const path = resourcePath(resource, query);
      const request: ApiRequest = { method: 'GET', path, headers: { accept }, signal };
      try {
        await keepToRate(request, 'state');
        return await openStream(parts, request);
      } catch (err) {
        if (caller.aborted) throw caller.reason;
        if (!head.signal.aborted) throw err;
        throw new CallTimedOutError(request, { limitMs, server, effect: 'none', cause: err });
      }
    },
  };
}

/** The effect of a request that the transport got before its deadline passed. */
function effectAtDeadline({ method }: ApiRequest, err: unknown): Effect {
  if (!isMutating(method)) return 'none';
  // A transport that knows that it sent nothing says so. A plain abort says nothing.
  return err instanceof CcmError ? err.effect : 'unknown';
}

function hostOf(server: string | undefined): string {
  return server !== undefined && URL.canParse(server) ? new URL(server).host : '';
}
