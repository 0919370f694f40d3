/** What commands need of the process to read a cluster. */
import type { Clock, Environment, Random } from '@tandem/runtime';

export interface LivePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
}

/** Opened by commands that need them: others do not load what is behind them. */
export type OpenPorts = () => Promise<LivePorts>;

/** A command cannot do what it was asked for. The message is a whole sentence for a person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
