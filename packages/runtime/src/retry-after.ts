/**
 * How long a server asks to be left alone. `Retry-After` has two forms, seconds and a date; what is
 * neither is ignored, because a wrong guess would hammer or stall.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(atMs - nowMs, 0);
}
