/**
 * One look of a dry run (`--once`): waits until the controllers have decided about every node, and keeps
 * their findings. It logs regularly what it waits for. If its signal aborts, it ends with the
 * findings so far.
 */
import type { Finding } from './finding.ts';
import { type Clock, type Logger, sleep } from '@tandem/runtime';

/** Short compared with the answer of any cloud. */
const lookEveryMs = 200;
/** About as long as a person waits without output. */
const progressEveryMs = 10_000;
/** Enough names to recognise what is slow. */
const namesMax = 5;

export interface OneLookPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The controllers whose findings a look follows. */
export interface LookedAt {
  /** Undefined while the controllers do not run. */
  findings(): readonly Finding[] | undefined;
  /** What the controllers wait for before they run. */
  missing(): Missing;
}

export interface Missing {
  readonly what: 'the list of nodes' | 'the cloud provider';
  /** Undefined if no fault is known: the start may only be slow. */
  readonly reason: string | undefined;
}

export class OneLook {
  readonly #ports: OneLookPorts;
  readonly #over = new AbortController();
  #findings: readonly Finding[] | undefined;
  #missing: Missing | undefined;

  constructor(ports: OneLookPorts) {
    this.#ports = ports;
  }

  /** Aborts when no finding is pending. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** The findings; undefined if the controllers did not run. */
  get findings(): readonly Finding[] | undefined {
    return this.#findings;
  }

  /** What prevented all findings; undefined if there are findings. */
  get missing(): Missing | undefined {
    return this.#missing;
  }

  async follow(lookedAt: LookedAt, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    let toldMs = clock.monotonic();
    while (!signal.aborted) {
      this.#findings = lookedAt.findings();
      this.#missing = this.#findings === undefined ? lookedAt.missing() : undefined;
      if (this.#findings?.every(isSettled)) return this.#over.abort();
      if (clock.monotonic() - toldMs >= progressEveryMs) {
        toldMs = clock.monotonic();
        this.#tellProgress();
      }
      await sleep(clock, lookEveryMs, signal).catch(() => undefined);
    }
  }

  #tellProgress(): void {
    const { logger } = this.#ports;
    if (this.#missing !== undefined) {
      const { what, reason } = this.#missing;
      return logger.info({ reason }, `Dry run: waiting for ${what}`);
    }
    const findings = this.#findings ?? [];
    const pending = findings.flatMap((one) => (one.kind === 'pending' ? [one.node] : []));
    if (pending.length === 0) return logger.info({}, 'Dry run: waiting for the list of routes');
    const facts = { pending: pending.length, among: pending.slice(0, namesMax).join(', ') };
    logger.info(facts, 'Dry run: waiting for answers about nodes');
  }
}

function isSettled(finding: Finding): boolean {
  return finding.kind === 'routes' ? finding.answer !== 'pending' : finding.kind !== 'pending';
}
