/** What the process gives the program, so that a test can pass its own, and what the program gives back. */
import type { Clock } from '@tandem/runtime';
import type { Colours, Terminal } from './view/index.ts';

export interface StartPorts {
  readonly clock: Clock;
  readonly output: Output;
  readonly errors: ErrorOutput;
  /** Aborts when the program is to end. */
  readonly stop: AbortSignal;
  /** Where the kubeconfig goes, such as `/tmp`. */
  readonly temporaryDirectory: string;
  /** Has something done when the process ends, however it does; what it gives takes that back. */
  readonly atExit: (act: () => void) => () => void;
}

export interface Output {
  write(text: string): unknown;
  /** Undefined where the output is none, or one that cannot be drawn on. */
  readonly terminal: Terminal | undefined;
  readonly colours: Colours;
}

export interface ErrorOutput {
  write(text: string): unknown;
  readonly isTerminal: boolean;
}

/** The exit codes of the program. */
export const exitOk = 0;
/** The cluster did not converge, or the program failed. */
export const exitFailed = 1;
/** The user has to correct an option, a port or a file. */
export const exitBadInput = 2;
