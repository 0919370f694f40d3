/**
 * The two ways in which the API server writes a time: to the second, and with exactly six digits of a
 * second in leases and events.
 */
export function isTime(text: string): boolean {
  return timePattern.test(text) && !Number.isNaN(Date.parse(text));
}

/** Another number of digits is refused, three of them as JavaScript writes them included. */
export function isMicroTime(text: string): boolean {
  return microTimePattern.test(text) && !Number.isNaN(Date.parse(text));
}

/** `2026-01-31T12:00:00Z`. */
export function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** `2026-01-31T12:00:00.123000Z`. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, -1)}000Z`;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const microTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;
