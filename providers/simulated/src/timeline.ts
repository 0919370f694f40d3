/**
 * The states of one instance with the times from which look-ups show them. What was changed later never
 * shows earlier, so that a cloud that lags still tells a consistent story.
 */
import type { Instance } from '@tandem/provider/plug';

interface Version {
  readonly shownFromMs: number;
  /** Nothing once it is terminated, and before it exists. */
  readonly instance: Instance | undefined;
}

export class Timeline {
  #versions: readonly Version[] = [];

  /** What is true, whether or not it shows. */
  get latest(): Instance | undefined {
    return this.#versions.at(-1)?.instance;
  }

  change(instance: Instance | undefined, shownFromMs: number): void {
    const before = this.#versions.at(-1)?.shownFromMs ?? 0;
    const version = { instance, shownFromMs: Math.max(shownFromMs, before) };
    this.#versions = [...this.#versions, version];
  }

  /** What shows at this time, which never goes back: what was replaced by then is forgotten. */
  shownAt(nowMs: number): Instance | undefined {
    const shown = this.#versions.findLastIndex(({ shownFromMs }) => shownFromMs <= nowMs);
    if (shown > 0) this.#versions = this.#versions.slice(shown);
    return shown < 0 ? undefined : this.#versions[0]?.instance;
  }

  /** Whether it is gone and shows as gone, so that it can be forgotten. */
  isOver(nowMs: number): boolean {
    return this.latest === undefined && this.shownAt(nowMs) === undefined;
  }
}
