/** What the reference page says of an error code. */
import type { Effect } from '@tandem/runtime';

export interface ErrorNote {
  /** What happened, in one or two sentences. */
  readonly meaning: string;
  /** What the error may say of trying again; `afterMs`: after the time that it names. */
  readonly retry: readonly ('backoff' | 'never' | 'afterMs')[];
  /** What the error may say of the call's effect. */
  readonly effect: readonly Effect[];
  readonly remedy: string;
}
