/**
 * The manager as a process: started as users start it, observed through its log, and ended, killed, paused and
 * resumed by signals.
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

/** A line of the log. Its further fields depend on the message. */
export interface LogLine {
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** Short timings of the election, in upstream's proportions. */
export const quickLease: readonly string[] = [
  '--leader-elect-lease-duration=3s',
  '--leader-elect-renew-deadline=2s',
  '--leader-elect-retry-period=400ms',
];

export class ManagerProcess extends CapturedProcess {
  /** The JSON lines of its output. */
  readonly log: LogLine[] = [];
  readonly flags: readonly string[];

  constructor(bundle: string, flags: readonly string[], environment: Environment = {}) {
    super([process.execPath, bundle, ...flags], { environment });
    this.flags = flags;
    collectJSON([this.child.stdout, this.child.stderr], this.log);
  }

  /** Asks it to end, and waits for that. Rejects if it does not end. */
  stop(): Promise<Exit> {
    this.signal('SIGTERM');
    return this.ended();
  }

  /** Waits for the first line with this message and these fields. */
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

  /** Fails with the last lines of its output if it has ended. */
  assertRunning(): void {
    assert.ok(this.isRunning, `The manager has ended\n${this.tail}`);
  }
}
