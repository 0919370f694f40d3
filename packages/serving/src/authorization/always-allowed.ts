/**
 * The paths that are open to everybody (`--authorization-always-allow-paths`), compared with the target
 * as it came: an encoded or doubled slash makes another path of it.
 */

/** Whether a path is open. A setting that ends in `*` stands for all that begins so. */
export function alwaysAllowed(paths: readonly string[]): (path: string) => boolean {
  const settings = paths.map((path) => (path.startsWith('/') ? path : `/${path}`));
  const prefixes = settings.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1));
  const exact = new Set(settings.filter((path) => !path.endsWith('*')));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}

/** What is wrong with the settings, each with what to do. */
export function alwaysAllowProblems(paths: readonly string[]): string[] {
  return paths
    .filter((path) => path.slice(0, -1).includes('*'))
    .map(
      (path) =>
        `--authorization-always-allow-paths: ${JSON.stringify(path)} has a * that is not at the end. ` +
        'Use * only at the end of a path.',
    );
}
