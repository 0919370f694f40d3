/**
 * Shares the files of a suite out over the mocha processes that run it side by side. Every file is in
 * exactly one share, and no share is empty. Pure.
 */
import { posix } from 'node:path';

export type Sharing =
  /** Dealt out one by one, because neighbours are alike and so would be slow together. */
  | { readonly kind: 'in turn'; readonly processes: number }
  /**
   * A process for the files of each of these patterns and one for the rest, so that those which use the
   * same servers start them once, and each has about as much to do.
   */
  | { readonly kind: 'by place'; readonly places: readonly (readonly string[])[] };

export function shareOut(files: readonly string[], sharing: Sharing): string[][] {
  const shareOf = sharing.kind === 'in turn' ? inTurn(sharing.processes) : byPlace(sharing.places);
  const shares = Map.groupBy(files, shareOf);
  return [...shares.values()];
}

type ShareOf = (file: string, index: number) => number;

function inTurn(processes: number): ShareOf {
  return (_file, index) => index % processes;
}

function byPlace(places: readonly (readonly string[])[]): ShareOf {
  return (file) =>
    places.findIndex((patterns) => patterns.some((pattern) => posix.matchesGlob(file, pattern)));
}
