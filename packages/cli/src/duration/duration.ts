/**
 * Durations as Go writes them: `1m30s`, `500ms`, `1.5h`. A bare number other than 0 is refused, because
 * it does not say whether it means seconds or milliseconds.
 */
import { invalid, type Parsed, value } from '../flags/values/value-type.ts';

/** In milliseconds. */
export function parseDuration(text: string): Parsed<number> {
  const [, sign, rest = ''] = /^([-+]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return value(0);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) {
    const isNumber = /^[\d.]+$/.test(rest);
    return invalid(
      isNumber
        ? `has no unit: write ${rest}s for seconds, or use ns, us, ms, m or h`
        : 'is not a duration: write it with a unit, such as 500ms, 30s, 5m or 1h30m',
    );
  }
  let ns = 0;
  for (const [, number, unit] of rest.matchAll(/([\d.]+)([a-zµμ]+)/g)) {
    ns += Number(number) * (nsOf.get(unit ?? '') ?? 0);
  }
  // Go counts in whole nanoseconds and holds 63 bits of them.
  if (!(ns < 2 ** 63)) return invalid('is longer than 292 years');
  return value((Math.round(ns) / 1e6) * (sign === '-' ? -1 : 1));
}

/** In Go's format, which clients of upstream's `/configz` expect: `5m0s`, `1.5s`. */
export function goDuration(ms: number): string {
  if (ms < 0) return `-${goDuration(-ms)}`;
  if (ms > 0 && ms < 1_000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = `${(ms % 60_000) / 1_000}s`;
  if (minutes === 0) return seconds;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m${seconds}` : `${hours}h${minutes % 60}m${seconds}`;
}

const nsOf: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);
