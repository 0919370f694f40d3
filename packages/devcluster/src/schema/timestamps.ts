/**
 * The two forms in which the API server writes a time: to the second, and to the microsecond in leases and
 * events.
 */
export function isTime(text: string): boolean {
  return ordinary.test(text) || (timePattern.test(text) && isInstant(text));
}

/** Six digits of a second are required: the three that JavaScript writes are refused. */
export function isMicroTime(text: string): boolean {
  return microTimePattern.test(text) && (ordinary.test(text) || isInstant(text));
}

/** `2026-01-31T12:00:00Z`. */
export function formatTime(epochMs: number): string {
  const epochSeconds = Math.floor(epochMs / 1000);
  if (epochSeconds !== lastWritten.epochSeconds) {
    lastWritten.epochSeconds = epochSeconds;
    lastWritten.text = `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
  }
  return lastWritten.text;
}

/** The last result: many times fall into the same second. */
const lastWritten = { epochSeconds: Number.NaN, text: '' };

/** `2026-01-31T12:00:00.123000Z`. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}000Z`;
}

function isInstant(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

/** The form of nearly all times. A text that matches it needs no parsing. */
const ordinary =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,9})?Z$/;

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const microTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;
