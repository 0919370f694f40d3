/**
 * The manager as a process: started as people start it, heard through what it writes, and ended,
 * killed, paused and resumed by signals.
 */
import assert from 'node:assert/strict';
import type { Environment } from '@tandem/runtime';
import { eventually } from '../../control-plane/index.ts';
import {
  collectJSON,
  type Exit,
  CapturedProcess,
  patienceMs,
} from '../../support/process/index.ts';

/** A line of the log; what it has beyond these depends on the message. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The timings of the election in upstream's proportions, and quick. */
export const quickLease: readonly string[] = [
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];

export class ManagerProcess extends CapturedProcess {
  /** The lines that are JSON. */
  readonly log: LogLine[] = [];
  readonly flags: readonly string[];

  constructor(bundle: string, flags: readonly string[], environment: Environment = {}) {
    super([process.execPath, bundle, ...flags], { environment });
    this.flags = flags;
    collectJSON([this.child.stdout, this.child.stderr], this.log);
  }

  /** Asks it to end, and waits for that; rejects when it does not. */
  stop(): Promise<Exit> {
    this.signal('SIGTERM');
    return this.ended();
  }

  /** The first line that says so and has what is wanted, as soon as it is there. */
  async says(
    msg: RegExp,
    fields: Readonly<Record<string, unknown>> = {},
    { withinMs = patienceMs }: { readonly withinMs?: number } = {},
  ): Promise<LogLine> {
    const isWanted = (line: LogLine): boolean =>
      msg.test(line.msg) && Object.entries(fields).every(([name, value]) => line[name] === value);
    try {
      return await eventually(() => this.log.find(isWanted), { withinMs });
    } catch (err) {
      throw new Error(`It did not say ${msg}.\n${this.tail}`, { cause: err });
    }
  }

  /** Fails, with what it wrote last, when it has ended. */
  assertRunning(): void {
    assert.ok(this.isRunning, `The manager has ended\n${this.tail}`);
  }
}
