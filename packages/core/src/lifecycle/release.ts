/**
 * How a person releases the brake: an annotation on the Lease with an end time. It is a time and not a
 * switch, so that it cannot be left on by mistake. An unreadable value releases nothing.
 */
export const releaseAnnotation = 'tandem.dev/release-deletion-brake';

export type Release =
  | { readonly kind: 'none' }
  | { readonly kind: 'lifted'; readonly untilMs: number }
  | { readonly kind: 'expired'; readonly untilMs: number }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Takes the annotation's value and the time of the wall clock. */
export function readRelease(value: string | undefined, nowMs: number): Release {
  if (value === undefined) return { kind: 'none' };
  const isTime = rfc3339.test(value) && isDay(value.slice(0, 10));
  const untilMs = isTime ? Date.parse(value.toUpperCase()) : Number.NaN;
  if (Number.isNaN(untilMs)) {
    const problem = `${releaseAnnotation} must be a time such as ${exampleRelease(nowMs)}`;
    return { kind: 'malformed', problem };
  }
  return { kind: untilMs > nowMs ? 'lifted' : 'expired', untilMs };
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isDay(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/**
 * An example time for people to copy: the first full hour that is at least an hour away. It changes as
 * rarely as possible, because an event with another text is another event.
 */
export function exampleRelease(nowMs: number): string {
  const untilMs = Math.ceil(nowMs / hourMs + 1) * hourMs;
  return new Date(untilMs).toISOString().replace('.000Z', 'Z');
}

const hourMs = 3_600_000;

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i;
