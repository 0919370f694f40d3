/**
 * How a program of ours introduces itself to API servers, in the form that client-go uses: the part
 * before the slash is what audit logs are searched for.
 */
export function userAgent({ program, version }: { program: string; version: string }): string {
  return `${program}/${version} (${process.platform}/${process.arch})`;
}
