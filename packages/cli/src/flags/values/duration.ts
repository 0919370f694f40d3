/**
 * Durations as Go writes them: `1m30s`, `500ms`, `1.5h`. A bare number is refused, but for 0: whether
 * seconds or milliseconds were meant is what a unit is there to say.
 */
import { invalid, type Parsed, single, value, type ValueType } from './value-type.ts';

/** In milliseconds, from `minMs` on, which is 0 where left out. */
export function duration({ minMs = 0 }: { minMs?: number } = {}): ValueType<number> {
  return single('duration', (text) => {
    const parsed = parseDuration(text);
    if (parsed.kind === 'invalid' || parsed.value >= minMs) return parsed;
    return invalid(`is too short: the minimum is ${formatDuration(minMs)}`);
  });
}

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

/** `90000` is `1m30s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 1000) return `${ms}ms`;
  const parts = [
    [Math.floor(ms / 3_600_000), 'h'],
    [Math.floor((ms % 3_600_000) / 60_000), 'm'],
    [(ms % 60_000) / 1000, 's'],
  ] as const;
  return parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
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
