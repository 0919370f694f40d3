/**
 * Keeps the manager's log off the table: users see its last warnings below the table, and all of it in a file if
 * they ask for one. Warnings that repeat the table are left out.
 */
import { formatLine } from '@tandem/runtime';
import { isJsonObject } from '../json/index.ts';

/** More would push the table off the screen. */
const warningsMax = 3;
/** For each of these, the table has a row with the same reason. */
const shownAnyway = new Set([
  'Refused node',
  'Node IP requests disagree',
  'Could not assign pod CIDRs',
  'Found a problem with pod CIDRs',
]);

export class LogTail {
  readonly #sink: ((line: string) => unknown) | undefined;
  readonly #listeners = new Set<() => void>();
  #warnings: readonly string[] = [];

  /** The sink gets every line as text. */
  constructor(sink: ((line: string) => unknown) | undefined) {
    this.#sink = sink;
  }

  /** Oldest first. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A line of JSON, as the logger writes it. */
  write(json: string): void {
    const line = formatLine(json);
    this.#sink?.(line);
    if (!isWorthShowing(json)) return;
    this.#warnings = [...this.#warnings, line.trimEnd()].slice(-warningsMax);
    for (const listener of this.#listeners) listener();
  }
}

function isWorthShowing(json: string): boolean {
  const record: unknown = JSON.parse(json);
  if (!isJsonObject(record)) return false;
  const { level, msg } = record;
  const isWarning = level === 'warn' || level === 'error';
  return isWarning && !(typeof msg === 'string' && shownAnyway.has(msg));
}
