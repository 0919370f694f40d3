/**
 * The two ways in which the API server writes a time: to the second, and with exactly six digits of a
 * second in leases and events.
 */
import { remember } from '../remember/index.ts';

/** Each node says several times when it last came up. */
export const isTime: (text: string) => boolean = remember(
  (text) => timePattern.test(text) && !Number.isNaN(Date.parse(text)),
);

/** Another number of digits is refused, three of them as JavaScript writes them included. */
export function isMicroTime(text: string): boolean {
  return microTimePattern.test(text) && !Number.isNaN(Date.parse(text));
}

/** `2026-01-31T12:00:00Z`. */
export function formatTime(epochMs: number): string {
  if (epochMs !== lastWritten.epochMs) {
    lastWritten.epochMs = epochMs;
    lastWritten.text = `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
  }
  return lastWritten.text;
}

/** Much happens at the same instant where time is virtual. */
const lastWritten = { epochMs: Number.NaN, text: '' };

/** `2026-01-31T12:00:00.123000Z`. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}000Z`;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const microTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;
