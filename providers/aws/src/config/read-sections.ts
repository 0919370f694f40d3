/**
 * Reads the format of upstream's `cloud.conf`, which is that of git's configuration: sections with an
 * optional name in quotes, `key = value`, comments after `#` and `;`. Keys may repeat, which is how lists are
 * written, and which libraries for INI files either refuse or let the last one win. Sections and keys are in
 * any case. Malformed lines are told with their numbers, all at once.
 */
import type { Problems } from './values.ts';

export interface Section {
  /** In lower case. */
  readonly name: string;
  /** The text in quotes behind it. */
  readonly title: string;
  readonly line: number;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** As it was written. */
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

export function readSections(text: string, problems: Problems): readonly Section[] {
  const sections: (Section & { readonly entries: Entry[] })[] = [];
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const content = raw.trim();
    if (content === '' || /^[#;]/.test(content)) continue;
    if (content.startsWith('[')) {
      sections.push({ ...readHeader(content, line, problems), entries: [] });
      continue;
    }
    const section = sections.at(-1);
    if (section === undefined) problems.add(line, 'this line is not in a section');
    else section.entries.push(...readEntry(content, line, problems));
  }
  return sections;
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const comment = String.raw`(?:[#;].*)?`;
const headerPattern = new RegExp(
  String.raw`^\[\s*(?<name>[A-Za-z][-\w.]*)\s*(?<title>${quoted})?\s*\]\s*${comment}$`,
);
const keyPattern = /^(?<key>[A-Za-z][-\w]*)\s*(?:=\s*(?<rest>.*))?$/;
const valuePattern = new RegExp(String.raw`^(?<value>(?:[^"#;]|${quoted})*)${comment}$`);

/** One that is malformed has no name, so that what follows it is not taken for the section before. */
function readHeader(
  content: string,
  line: number,
  problems: Problems,
): Pick<Section, 'name' | 'title' | 'line'> {
  const header = headerPattern.exec(content)?.groups;
  if (header === undefined) problems.add(line, 'this line is not a valid section');
  const { name = '', title = '' } = header ?? {};
  return { name: name.toLowerCase(), title: unescape(title), line };
}

/** The entry, or none where the line is malformed. */
function readEntry(content: string, line: number, problems: Problems): Entry[] {
  const groups = keyPattern.exec(content)?.groups;
  const key = groups?.['key'];
  if (key === undefined) {
    problems.add(line, 'this line is not of the form key = value');
    return [];
  }
  // A key alone is a switch that is on.
  const rest = groups?.['rest'] ?? 'true';
  const value = valuePattern.exec(rest)?.groups?.['value'];
  if (value === undefined) {
    problems.add(line, `${key} has a quote that does not end`);
    return [];
  }
  return [{ key, value: unescape(value.trim()), line }];
}

/** Quotes are for values with blanks or comment signs; they may stand anywhere in a value. */
function unescape(text: string): string {
  return text.replaceAll(new RegExp(quoted, 'g'), (part) =>
    part.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter),
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
