/**
 * `MicroTime` of the API: RFC 3339 in UTC with exactly six fractional digits. The API server rejects
 * three digits, as `toISOString` writes them, with 400.
 */
export function microTime(epochMs: number): string {
  const micros = Math.round(epochMs * 1_000);
  const wholeMs = Math.floor(micros / 1_000);
  const rest = String(micros - wholeMs * 1_000).padStart(3, '0');
  return new Date(wholeMs).toISOString().replace('Z', `${rest}Z`);
}
