/**
 * Callers that wait until they are admitted, first come, first served. A caller whose signal aborts leaves
 * the line at once, and nothing of it stays behind.
 */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when the caller is admitted. Rejects with the reason of a signal that aborts first. */
  wait(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.delete(admit);
        reject(signal?.reason);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(admit);
    });
  }

  /** Admits the caller that has waited longest. False if no caller waits. */
  admit(): boolean {
    for (const admit of this.#waiting) {
      this.#waiting.delete(admit);
      admit();
      return true;
    }
    return false;
  }
}
