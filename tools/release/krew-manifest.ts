/** The manifest for krew's index, from its template: what `krew-release-bot` would do, without a bot. */

/** The address that the template has until releases are published. */
const placeholder = /https:\/\/tandem\.invalid\/releases\/\{\{ \.TagName \}\}/;

interface KrewRelease {
  readonly tag: string;
  /** Where the sources are. */
  readonly source: string;
  /** Where the archive can be fetched, without its name. */
  readonly filesURL: string;
  readonly sha256: string;
}

export function krewManifest(
  template: string,
  { tag, source, filesURL, sha256 }: KrewRelease,
): string {
  const filled = template
    .replaceAll(/\{\{addURIAndSha "(.*?)" \.TagName \}\}/g, (_, address: string) => {
      const uri = address.replace(placeholder, () => filesURL);
      return `uri: ${uri}\n      sha256: ${sha256}`;
    })
    .replaceAll('{{ .TagName }}', tag)
    .replace('https://tandem.invalid/', () => source)
    // The head of the file is about the template.
    .replace(/^(?:#.*\n)+/, '');
  if (/\{\{/.test(filled)) throw new Error('the krew manifest has gaps left');
  return filled;
}
