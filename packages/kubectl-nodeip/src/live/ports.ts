/** The parts of the process that commands need to read a cluster. */
import type { Clock, Environment, Random } from '@tandem/runtime';

export interface LivePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
}

/** Opens the ports. Only commands that need them call it, so that the others do not load their modules. */
export type OpenPorts = () => Promise<LivePorts>;

/** A command cannot do its work. The message is a complete sentence for users. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
