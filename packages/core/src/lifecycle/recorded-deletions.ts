/**
 * The deletions of earlier processes, in an annotation on the Lease, so that a manager that restarts
 * again and again, or takes over, does not count from zero (L3). A mark of the UID identifies each node,
 * so that a node that still exists is not counted as deleted. Unreadable parts are ignored; the rest
 * counts.
 */
export const memoryAnnotation = 'tandem.dev/recent-node-deletions';

export interface Remembered {
  /** The mark of the node's UID, made by `deletionMark`. */
  readonly mark: string;
  /** On the wall clock, because processes share no other clock. */
  readonly atMs: number;
}

export interface Memory {
  readonly deletions: readonly Remembered[];
  /** Whether another program changed it. */
  readonly isWhole: boolean;
}

/**
 * Returns a mark of eight characters, so that a fifth of a large cluster fits into the annotation.
 */
export function deletionMark(uid: string): string {
  // FNV-1a. Two nodes rarely share a mark, and then the count is too low by one.
  let hash = 0x811c9dc5;
  for (const character of uid) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

export function readMemory(text: string | undefined): Memory {
  const parts = (text ?? '').split(' ').filter((part) => part !== '');
  const groups = parts.map(readGroup);
  return { deletions: groups.flat(), isWhole: groups.every((group) => group.length > 0) };
}

/** One group for each second, the oldest first, as in `2026-01-31T12:00:00Z=1f2e3d4c,5b6a7988`. */
export function memoryText(deletions: readonly Remembered[]): string {
  const groups = Map.groupBy(deletions, ({ atMs }) => Math.ceil(atMs / 1_000));
  return [...groups]
    .toSorted(([left], [right]) => left - right)
    .map(([seconds, group]) => `${timeText(seconds)}=${marksOf(group).join(',')}`)
    .join(' ');
}

function readGroup(part: string): Remembered[] {
  const [, time = '', marks = ''] = groupPattern.exec(part) ?? [];
  const atMs = Date.parse(time);
  if (Number.isNaN(atMs)) return [];
  return marks.split(',').map((mark) => ({ mark, atMs }));
}

const groupPattern = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z)=([0-9a-f]{8}(?:,[0-9a-f]{8})*)$/;

/**
 * The caller rounds up: an entry that expires too early may cost a node, one too late only seconds.
 */
function timeText(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1_000).toISOString().slice(0, 19)}Z`;
}

function marksOf(group: readonly Remembered[]): string[] {
  return [...new Set(group.map(({ mark }) => mark))].toSorted();
}
