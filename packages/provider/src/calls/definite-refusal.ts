/**
 * Whether a cloud's answer with this HTTP status means that the cloud did nothing. After silence or a server error the
 * cloud may have carried a write out, and the same holds for 408, which proxies send for calls that took too long, and
 * for a success whose body cannot be read.
 */
export function isDefiniteRefusal(httpStatus: number | undefined): boolean {
  if (httpStatus === undefined || httpStatus === 408) return false;
  return httpStatus >= 400 && httpStatus < 500;
}
