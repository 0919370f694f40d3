/** What the process gives the program, so that a test can pass its own, and what the program gives back. */
import type { Clock } from '@tandem/runtime';
import type { Colours, Terminal } from './view/index.ts';

export interface StartPorts {
  readonly clock: Clock;
  readonly output: Output;
  readonly errors: ErrorOutput;
  /** Aborts when the user ends the program. */
  readonly stop: AbortSignal;
  /** The directory for the kubeconfig, such as `/tmp`. */
  readonly temporaryDirectory: string;
  /** Registers work for the end of the process, however it ends. Returns a function that unregisters it. */
  readonly atExit: (act: () => void) => () => void;
}

export interface Output {
  write(text: string): unknown;
  /** Undefined where the output is not a terminal that can draw. */
  readonly terminal: Terminal | undefined;
  readonly colours: Colours;
}

interface ErrorOutput {
  write(text: string): unknown;
  readonly isTerminal: boolean;
}

/** The exit codes of the program. */
export const exitOk = 0;
/** The cluster did not converge, or the program failed. */
export const exitFailed = 1;
/** The user has to correct an option, a port or a file. */
export const exitBadInput = 2;
