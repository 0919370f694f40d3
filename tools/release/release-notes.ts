/** The notes of a release: its section of the changelog, with links that work outside of `docs/`. */

/** Undefined where the changelog has no section of that title, or an empty one. */
export function sectionOf(changelog: string, title: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => (section.split(/\s/, 1)[0] ?? '') === title);
  const body = found?.slice(found.indexOf('\n')).trim();
  return body === '' ? undefined : body;
}

/** Links of the page are relative to `docs/`; those of the notes are to the files of the tag. */
export function releaseNotes(section: string, filesURL: string): string {
  const linked = section.replaceAll(/\]\((?![a-z]+:|#)([^)]+)\)/g, (_, path: string) => {
    const target = path.startsWith('../') ? path.slice(3) : `docs/${path}`;
    return `](${filesURL}/${target})`;
  });
  return `${linked}\n`;
}
