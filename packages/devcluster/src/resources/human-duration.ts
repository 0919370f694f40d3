/** Durations and ages as kubectl's tables show them: two units at the most, fewer as they grow. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.floor(durationMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 8 * 365 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

/** The age of something with this timestamp. */
export function ageOf(timestamp: string, nowMs: number): string {
  const startMs = Date.parse(timestamp);
  return Number.isNaN(startMs) ? '<unknown>' : humanDuration(nowMs - startMs);
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
