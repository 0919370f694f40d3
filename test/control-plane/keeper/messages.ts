/**
 * What an owner and its keeper say to each other over the IPC channel. Both run the same sources, so
 * a message is trusted to be one of these.
 */
import type { Exit } from '../process-group.ts';

/** A fresh directory below `parent`, or the directory that a person named, which must be empty. */
export type DirectoryChoice =
  | { readonly kind: 'temporary'; readonly parent: string }
  | { readonly kind: 'named'; readonly directory: string };

/** The directory once made. Of a named one, `stays` is the innermost directory that was there before. */
export type Claim =
  | { readonly kind: 'temporary'; readonly path: string }
  | { readonly kind: 'named'; readonly path: string; readonly stays: string };

export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** Standard output and standard error are appended here. */
  readonly logFile: string;
}

/** What the owner asks for; everything else it does by process id, or by closing the channel. */
export interface Order {
  readonly id: number;
  readonly launch: Launch;
}

export type Report =
  | { readonly kind: 'ready'; readonly claim: Claim }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'spawned'; readonly id: number; readonly pid: number }
  | { readonly kind: 'exited'; readonly id: number; readonly exit: Exit };
