/**
 * Reads the format of upstream's `cloud.conf`, which is that of git's configuration: sections with an
 * optional name in quotes, `key = value`, comments after `#` and `;`. Keys may repeat, which is how lists are
 * written, and which libraries for INI files either refuse or let the last one win. Sections and keys are in
 * any case. A malformed line is told with its number.
 */
export interface Section {
  /** In lower case. */
  readonly name: string;
  /** The text in quotes behind it. */
  readonly title: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** As it was written. */
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

export type ReadSections =
  | { readonly kind: 'read'; readonly sections: readonly Section[] }
  | { readonly kind: 'invalid'; readonly line: number; readonly problem: string };

export function readSections(text: string): ReadSections {
  const sections: (Section & { readonly entries: Entry[] })[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || /^[#;]/.test(content)) continue;
    if (content.startsWith('[')) {
      const header = headerPattern.exec(content)?.groups;
      if (header === undefined) return { kind: 'invalid', line, problem: 'is not a valid section' };
      const title = unescape(header['title'] ?? '');
      sections.push({ name: (header['name'] ?? '').toLowerCase(), title, entries: [] });
      continue;
    }
    const entry = readEntry(content, line);
    if (typeof entry === 'string') return { kind: 'invalid', line, problem: entry };
    const section = sections.at(-1);
    if (section === undefined) return { kind: 'invalid', line, problem: 'is not in a section' };
    section.entries.push(entry);
  }
  return { kind: 'read', sections };
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const comment = String.raw`(?:[#;].*)?`;
const headerPattern = new RegExp(
  String.raw`^\[\s*(?<name>[A-Za-z][-\w.]*)\s*(?<title>${quoted})?\s*\]\s*${comment}$`,
);
const keyPattern = /^(?<key>[A-Za-z][-\w]*)\s*(?:=\s*(?<rest>.*))?$/;
const valuePattern = new RegExp(String.raw`^(?<value>(?:[^"#;]|${quoted})*)${comment}$`);

/** The entry, or what is wrong with the line. */
function readEntry(content: string, line: number): Entry | string {
  const groups = keyPattern.exec(content)?.groups;
  const key = groups?.['key'];
  if (key === undefined) return 'is not of the form key = value';
  // A key alone is a switch that is on.
  const rest = groups?.['rest'] ?? 'true';
  const value = valuePattern.exec(rest)?.groups?.['value'];
  if (value === undefined) return 'has a quote that does not end';
  return { key, value: unescape(value.trim()), line };
}

/** Quotes are for values with blanks or comment signs; they may stand anywhere in a value. */
function unescape(text: string): string {
  return text.replaceAll(new RegExp(quoted, 'g'), (part) =>
    part.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter),
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
