/**
 * A transport that injects faults, for tests, the simulation and the demo: a decorator around any other transport. A
 * request that it passes on reaches the server exactly once, and one that it stops never does.
 */
import { type Clock, type Random, sleep } from '@tandem/runtime';
import {
  type KubeTransport,
  TransportError,
  type TransportRequest,
  type TransportResponse,
} from '@tandem/kube/transport';
import { faultyBody } from './fault-body.ts';
import { type FaultKind, type FaultPlan, requestFaults, streamFaults } from './fault-plan.ts';
import { statusResponse } from './status-response.ts';

export interface InjectedFault {
  readonly kind: FaultKind;
  readonly method: string;
  readonly path: string;
}

export interface FaultyTransport extends KubeTransport {
  /** The faults so far, in order: the trace to print with a failing seed. */
  readonly injected: readonly InjectedFault[];
  /** Injects no more faults. Requests under way keep theirs. */
  heal(): void;
}

export function faultyTransport(
  inner: KubeTransport,
  options: {
    readonly clock: Clock;
    readonly random: Random;
    readonly plan: FaultPlan;
    /** Which requests may get faults; all of them by default. */
    readonly isTarget?: (request: TransportRequest) => boolean;
  },
): FaultyTransport {
  const { clock, random, plan, isTarget = () => true } = options;
  const injected: InjectedFault[] = [];
  let isHealed = false;

  const draw = (request: TransportRequest, kinds: readonly FaultKind[]): FaultKind | undefined => {
    if (!isTarget(request)) return undefined;
    for (const kind of kinds) {
      // One draw for each kind, also for those that are off, so that removing a kind shifts no other draws.
      const isDrawn = random.next() < (plan.rates[kind] ?? 0);
      if (!isDrawn || isHealed || injected.length >= plan.faultsMax) continue;
      injected.push({ kind, method: request.method, path: request.path });
      return kind;
    }
    return undefined;
  };
  const anyDelay = (): number => random.next() * plan.delayMsMax;

  return {
    async send(request): Promise<TransportResponse> {
      const fault = draw(request, requestFaults);
      if (fault === 'delay') await sleep(clock, anyDelay(), request.signal);
      if (fault === 'reset-before') throw reset('none');
      const refusal = fault === undefined ? undefined : refusals[fault];
      const answer = refusal && statusResponse(...refusal);
      if (answer !== undefined && fault !== 'internal-error') return answer;

      const response = await inner.send(request);
      if (fault === 'reset-after') {
        await discard(response);
        throw reset('unknown');
      }
      if (answer !== undefined) {
        await discard(response);
        return answer;
      }
      const bodyFault = draw(request, streamFaults);
      if (bodyFault === undefined) return response;
      const body = faultyBody(bodyFault, response.body, {
        clock,
        random,
        delayMs: anyDelay(),
        signal: request.signal,
      });
      return { ...response, body };
    },
    close: () => inner.close(),
    injected,
    heal() {
      isHealed = true;
    },
  };
}

/** The answers of an API server in trouble. */
const refusals: Readonly<Partial<Record<FaultKind, Parameters<typeof statusResponse>>>> = {
  conflict: refusalOf(409, 'Conflict'),
  gone: refusalOf(410, 'Expired'),
  'too-many-requests': [...refusalOf(429, 'TooManyRequests'), { headers: { 'retry-after': '1' } }],
  'internal-error': refusalOf(500, 'InternalError'),
  unavailable: refusalOf(503, 'ServiceUnavailable'),
};

function refusalOf(code: number, reason: string): [Parameters<typeof statusResponse>[0]] {
  return [{ code, reason, message: `injected: ${reason}` }];
}

function reset(effect: 'none' | 'unknown'): TransportError {
  return new TransportError('The connection was reset', {
    code: effect === 'none' ? 'ConnectionFailed' : 'ConnectionLost',
    retry: 'backoff',
    effect,
  });
}

/** Closes an answer that will not be read. */
async function discard({ body }: TransportResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}
