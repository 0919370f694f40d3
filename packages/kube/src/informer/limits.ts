/** The limits of an informer, each with its reason. Tests take smaller ones. */
export interface InformerLimits {
  /**
   * A watch that is silent for so long is closed. A healthy idle watch sends its first bookmark after 120
   * s and then one every 60 s.
   */
  readonly silenceMs: number;
  /**
   * A streaming list that is silent for so long will not end; the list is then fetched in pages.
   */
  readonly listSilenceMs: number;
  /**
   * A watch resumes only if the server answers again within this time. A server that was away for longer
   * may have been restored to an older state, and may have reached its lost versions again: its events
   * would then follow a different history. A list cannot be wrong in this way.
   */
  readonly resumeWithinMs: number;
  /**
   * A server that throttles a watch has just answered, so the delay does not count as absence: the watch
   * resumes after it. After a longer delay the server may have been restored.
   */
  readonly resumeAfterWaitMsMax: number;
  /** For the head of a watch's answer, and for each page. */
  readonly answerMs: number;
  /** Objects per page, as in client-go. */
  readonly pageSize: number;
  /** A list with more pages does not end: the server repeats its tokens. */
  readonly pagesMax: number;
  /** The requested duration of a watch: random, so that not all watches end at once. */
  readonly watchMsMin: number;
  readonly watchMsMax: number;
  /** The delay after a failure. It doubles with each failure up to the maximum, and has jitter. */
  readonly retryDelayMsMin: number;
  readonly retryDelayMsMax: number;
  /** The longest `Retry-After` that is respected: an older cache is useless. */
  readonly retryAfterMsMax: number;
  /** After a connection that lived so long, failures count from zero. */
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
