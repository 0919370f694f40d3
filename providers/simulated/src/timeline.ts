/**
 * The states of one instance, with the times from which look-ups show them. A later change never shows before an
 * earlier one, so look-ups are consistent even with lag.
 */
import type { Instance } from '@tandem/provider/plug';

interface Version {
  readonly shownFromMs: number;
  /** Undefined before the instance exists and after it is terminated. */
  readonly instance: Instance | undefined;
}

export class Timeline {
  #versions: readonly Version[] = [];

  /** The current state, even if look-ups do not show it yet. */
  get latest(): Instance | undefined {
    return this.#versions.at(-1)?.instance;
  }

  change(instance: Instance | undefined, shownFromMs: number): void {
    const before = this.#versions.at(-1)?.shownFromMs ?? 0;
    const version = { instance, shownFromMs: Math.max(shownFromMs, before) };
    this.#versions = [...this.#versions, version];
  }

  /** Returns the state that shows at this time, and forgets earlier states: the time must never go back. */
  shownAt(nowMs: number): Instance | undefined {
    const shown = this.#versions.findLastIndex(({ shownFromMs }) => shownFromMs <= nowMs);
    if (shown > 0) this.#versions = this.#versions.slice(shown);
    return shown < 0 ? undefined : this.#versions[0]?.instance;
  }

  /** Returns whether the instance is gone and shows as gone, so that it can be forgotten. */
  isOver(nowMs: number): boolean {
    return this.latest === undefined && this.shownAt(nowMs) === undefined;
  }
}
