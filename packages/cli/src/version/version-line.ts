/**
 * What `--version` prints. A built program knows the commit that it was built from; a program that runs
 * from its sources does not, because the sources may differ from every commit.
 */

/** `npm run build` puts the commit here, as a constant of the bundle. */
declare const TANDEM_COMMIT: string | undefined;

export const builtFrom: string | undefined =
  typeof TANDEM_COMMIT === 'undefined' ? undefined : TANDEM_COMMIT;

export function versionLine(version: string, commit: string | undefined = builtFrom): string {
  return commit === undefined ? `Tandem ${version}\n` : `Tandem ${version} (commit ${commit})\n`;
}
