/** The manifest for krew's index, rendered from its template as `krew-release-bot` does. */

/** The address in the template, which stands for that of the releases. */
const placeholder = /https:\/\/tandem\.invalid\/releases\/\{\{ \.TagName \}\}/;

interface KrewRelease {
  readonly tag: string;
  /** The URL of the sources. */
  readonly source: string;
  /** The URL of the archive, without its name. */
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
