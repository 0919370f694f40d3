/**
 * `MicroTime` of the API: RFC 3339 in UTC with exactly six fractional digits. Three, which is what
 * `toISOString` gives, are refused with 400.
 */
export function microTime(epochMs: number): string {
  return new Date(epochMs).toISOString().replace('Z', '000Z');
}
