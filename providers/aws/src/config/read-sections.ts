/**
 * Reads upstream's `cloud.conf`, which has the format of git's configuration: sections with an optional name in quotes,
 * `key = value`, comments after `#` and `;`. A list is written by repeating its key; INI libraries either refuse that or
 * keep only the last value. The case of sections and keys does not matter. All malformed lines are reported at once,
 * with their numbers.
 */
import type { Problems } from './values.ts';

export interface Section {
  /** In lower case. */
  readonly name: string;
  /** The quoted text that follows the section's name. */
  readonly title: string;
  readonly line: number;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** As the file spells it. */
  readonly key: string;
  readonly value: string;
  readonly line: number;
}

export function readSections(text: string, problems: Problems): readonly Section[] {
  const sections: (Section & { readonly entries: Entry[] })[] = [];
  const lines = `${text}\n`.replace(/^\uFEFF/, '').split(/\r?\n/);
  let unfinished = '';
  for (const [index, raw] of lines.entries()) {
    const line = index + 1;
    const content = `${unfinished}${raw}`.trim();
    unfinished = unfinishedPattern.test(content) ? content.slice(0, -1) : '';
    if (unfinished !== '' || content === '' || /^[#;]/.test(content)) continue;
    if (/[\0\uFFFD]/.test(content)) {
      problems.add(line, 'this line is not text in UTF-8');
      continue;
    }
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
const keyPattern = new RegExp(
  String.raw`^(?<key>[A-Za-z][-\w]*)\s*(?:=\s*(?<rest>.*)|${comment})$`,
);
const valuePattern = new RegExp(String.raw`^(?<value>(?:[^"#;]|${quoted})*)${comment}$`);
/** A line that ends with a backslash goes on in the next one, unless the backslash is in a comment. */
const unfinishedPattern = new RegExp(String.raw`^(?:[^"#;]|${quoted})*\\$`);

/** A malformed header gives a section without a name, so that its keys do not join the section before. */
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

/** Returns nothing if the line is malformed. */
function readEntry(content: string, line: number, problems: Problems): Entry[] {
  const groups = keyPattern.exec(content)?.groups;
  const key = groups?.['key'];
  if (key === undefined) {
    problems.add(line, 'this line is not of the form key = value');
    return [];
  }
  const value = valuePattern.exec(groups?.['rest'] ?? '')?.groups?.['value'];
  if (value === undefined) {
    problems.add(line, `${key} has a quote that does not end`);
    return [];
  }
  return [{ key, value: unescape(value.trim()), line }];
}

/** Quotes protect blanks and comment signs. They may stand anywhere in a value. */
function unescape(text: string): string {
  return text.replaceAll(new RegExp(quoted, 'g'), (part) =>
    part.slice(1, -1).replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter),
  );
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
