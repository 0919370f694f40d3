/**
 * Writes that the API server executes long after it took them. `?timeout=` tells it how long it may work on one;
 * without it that is 34 s. The storage behind it may take 7 s more, after the client got its answer.
 */
import type { TransportRequest, TransportResponse } from '@tandem/kube/transport';
import type { Random } from '@tandem/runtime';
import { statusResponse } from '../../support/api-faults/index.ts';
import type { LateWritePlan } from '../plan/index.ts';

/** What a kube-apiserver allows a write that names no time, and its etcd client any write. */
const serverMsDefault = 34_000;
const storageMs = 7_000;

export class LateWrites {
  readonly #plan: LateWritePlan;
  readonly #random: Random;
  readonly #paths = new Set<string>();
  #isOver = false;
  /** How many were late. */
  total = 0;
  /** How many were taken and are still to be executed. */
  pending = 0;

  constructor(plan: LateWritePlan, random: Random) {
    this.#plan = plan;
    this.#random = random;
  }

  /** How long after it was taken the write is executed; undefined where that is at once. */
  draw(request: TransportRequest): number | undefined {
    const isDrawn = this.#random.next() < this.#plan.rate;
    if (this.#isOver || !isDrawn || !this.#isTarget(request)) return undefined;
    return this.delayOf(request);
  }

  /** The same for a write that is late in any case. */
  delayOf(request: TransportRequest): number {
    this.total++;
    this.#paths.add(request.path);
    // The last moment is the one that others must reckon with, so half of them come close to it.
    const isLast = this.#random.next() < 0.5;
    const share = isLast ? 1 - this.#random.next() / 10 : this.#random.next();
    return share * (serverMsOf(request) + storageMs);
  }

  /** Whether a write to this path was late. */
  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** What is taken from now on is executed at once. */
  heal(): void {
    this.#isOver = true;
  }

  #isTarget(request: TransportRequest): boolean {
    if (request.method === 'GET') return false;
    const { of: which } = this.#plan;
    if (which === 'all') return true;
    return which === 'nodes' ? request.path.startsWith('/api/v1/nodes') : isAssignment(request);
  }
}

export function isAssignment({ method, body }: TransportRequest): boolean {
  return method === 'PATCH' && String(body).includes('"/spec/podCIDRs"');
}

/** How long the API server works on a request before it answers that it could not. */
export function serverMsOf({ path }: TransportRequest): number {
  const [, text] = /[?&]timeout=(\d+)ms/.exec(path) ?? [];
  return text === undefined ? serverMsDefault : Number(text);
}

/** What it then answers. */
export function timedOut(): TransportResponse {
  const message =
    'Timeout: request did not complete within requested timeout - context deadline exceeded';
  return statusResponse({ code: 504, reason: 'Timeout', message });
}
