/** The limits of an informer, each with its reason. Tests take smaller ones. */
export interface InformerLimits {
  /**
   * A watch that says nothing for so long is given up. A healthy one that has nothing to tell sends
   * its first bookmark after 120 s and then one every 60 s.
   */
  readonly silenceMs: number;
  /** A streaming list that says nothing for so long will not end; it is then fetched in pages. */
  readonly listSilenceMs: number;
  /**
   * A watch is gone on with only when the server is heard of again within this time. One that was
   * away for longer may have been restored to an older state in between, and may have made up for
   * its lost versions since: its events would then follow on a past that never was. A list cannot be
   * wrong in this way.
   */
  readonly resumeWithinMs: number;
  /**
   * A server that throttles a watch has just answered, so the wait that it causes does not count as
   * absence: the watch resumes after it. After a longer wait the server may have been restored.
   */
  readonly resumeAfterWaitMsMax: number;
  /** For the head of a watch's answer, and for each page. */
  readonly answerMs: number;
  /** Objects a page, as client-go asks for. */
  readonly pageSize: number;
  /** A list of more pages than this does not end: the server gives out tokens in a circle. */
  readonly pagesMax: number;
  /** How long a watch is asked for: a random time in between, so that not all end at once. */
  readonly watchMsMin: number;
  readonly watchMsMax: number;
  /** The wait after a failure, doubled with each one up to the maximum, and jittered. */
  readonly retryDelayMsMin: number;
  readonly retryDelayMsMax: number;
  /** A server that asks to wait is obeyed for so long at the most: a cache that old is no cache. */
  readonly retryAfterMsMax: number;
  /** A connection that lived so long was a good one: failures count from zero after it. */
  readonly settledMs: number;
}

export const informerLimits: InformerLimits = {
  silenceMs: 150_000,
  listSilenceMs: 60_000,
  resumeWithinMs: 2_000,
  resumeAfterWaitMsMax: 60_000,
  answerMs: 30_000,
  pageSize: 500,
  pagesMax: 10_000,
  watchMsMin: 5 * 60_000,
  watchMsMax: 10 * 60_000,
  retryDelayMsMin: 500,
  retryDelayMsMax: 15_000,
  retryAfterMsMax: 5 * 60_000,
  settledMs: 30_000,
};
