/**
 * One look of a dry run (`--once`): waits until the controllers have decided about every node, and keeps
 * what they found. It says now and then what it waits for, and ends with what there is when it is told to.
 */
import type { Finding } from './finding.ts';
import { type Clock, type Logger, sleep } from '@tandem/runtime';

/** Short beside the answer of any cloud. */
const lookEveryMs = 200;
/** As long as a person waits without a word. */
const progressEveryMs = 10_000;
/** Enough to recognise what is slow. */
const namesMax = 5;

export interface OneLookPorts {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a look is about, as far as it has come. */
export interface LookedAt {
  /** Undefined while the controllers do not work. */
  findings(): readonly Finding[] | undefined;
  /** What the controllers wait for before they work. */
  missing(): Missing;
}

export interface Missing {
  readonly what: 'the list of nodes' | 'the cloud provider';
  /** Undefined where nothing is known to be wrong: it may only take long. */
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

  /** Aborts when everything is decided. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** What was found; undefined where not even the list of nodes was read. */
  get findings(): readonly Finding[] | undefined {
    return this.#findings;
  }

  /** What kept it from finding anything; undefined where something was found. */
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
