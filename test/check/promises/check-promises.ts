/**
 * The check of the promises: every rule that is cited by number is defined on the page of promises,
 * every rule there is cited, enforced and tested somewhere, and the files, functions and claims that
 * the page names exist. Pure: files in, violations out.
 */
import { posix } from 'node:path';
import { type Finding, violationAt, type Violation } from '../structure/violation.ts';

export const promisesPage = 'docs/explanation/promises.md';

/** Relative to the root of the tree, with forward slashes. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export function checkPromises(files: readonly TextFile[]): Violation[] {
  const page = files.find(({ path }) => path === promisesPage) ?? { path: promisesPage, text: '' };
  const rules = rulesOf(page.text);
  const defined = new Set(rules.map(({ id }) => id));
  const others = files.filter(({ path }) => path !== promisesPage);
  const cited = new Set(others.flatMap(({ text }) => citationsIn(text).map(({ id }) => id)));
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return [
    ...files.flatMap((file) => at(file, undefinedIn(file.text, defined))),
    ...at(
      page,
      rules.flatMap((rule) => lacksOf(rule, cited.has(rule.id))),
    ),
    ...at(page, namesIn(page.text, texts)),
  ];
}

interface Rule {
  readonly id: string;
  readonly offset: number;
  /** Its heading and all that follows until the next one. */
  readonly text: string;
}

/** A rule is a heading that begins with its number. */
function rulesOf(page: string): Rule[] {
  const sections = page.matchAll(/^#+ .*\n(?:(?!#+ ).*\n?)*/gm);
  return [...sections].flatMap(({ 0: text, index: offset }) => {
    const [, id] = /^#+ (ESR|[A-Z]\d{1,2})\b/.exec(text) ?? [];
    return id === undefined ? [] : [{ id, offset, text }];
  });
}

interface Citation {
  readonly id: string;
  readonly offset: number;
}

/** A letter and a number, with the numbers between the ends of a range (a dash or `to`). */
function citationsIn(text: string): Citation[] {
  const ranges = text.matchAll(/\b([A-Z])(\d{1,2})(?:–| to )\1(\d{1,2})\b/g);
  const between = [...ranges].flatMap(({ 1: letter, 2: first, 3: last, index: offset }) =>
    numbersBetween(Number(first), Number(last)).map((number) => ({
      id: `${letter}${number}`,
      offset,
    })),
  );
  const single = [...text.matchAll(citation)].map(({ 0: id, index }) => ({ id, offset: index }));
  return [...single, ...between].filter(({ id }) => !lookalikes.has(id));
}

/** Not part of a word, an IPv6 address or an escape. */
const citation = /(?<![\w:%#\\/.-])(?:ESR|[A-Z]\d{1,2})(?![\w%]|:[\dA-Fa-f:])/g;

/** What looks like a rule and is none: the engine, and control characters. */
const lookalikes: ReadonlySet<string> = new Set(['V8', 'C1']);

function numbersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first - 1, 0) }, (_, index) => first + 1 + index);
}

function undefinedIn(text: string, defined: ReadonlySet<string>): Finding[] {
  return citationsIn(text)
    .filter(({ id }) => !defined.has(id))
    .map(({ id, offset }) => ({
      rule: 'promises',
      offset,
      found: `${id} is cited, and no such rule is defined.`,
      instead: `Define it in ${promisesPage}, or say what is meant in words.`,
    }));
}

function lacksOf({ id, offset, text }: Rule, isCited: boolean): Finding[] {
  const parts = ['Enforced by', 'Tested by'].filter((part) => !text.includes(`\n- ${part} [`));
  const lacks = parts.map((part) => ({
    found: `${id} does not say what it is "${part}".`,
    instead: `Add an item "- ${part} [file](path)".`,
  }));
  if (!isCited) {
    const instead = 'Cite it where it is enforced or tested, or remove it.';
    lacks.push({ found: `${id} is defined, and nothing cites it.`, instead });
  }
  return lacks.map((lack) => ({ rule: 'promises', offset, ...lack }));
}

/** In a list, what stands in backticks or quotes behind the link to a file is in that file. */
function namesIn(page: string, texts: ReadonlyMap<string, string>): Finding[] {
  const items = [...page.matchAll(/^- .*\n(?: {2}.*\n?)*/gm)];
  return items.flatMap(({ 0: item, index: offset }) =>
    [...item.matchAll(/\]\(([^)]+)\)([^\]]*)/g)].flatMap(([, link = '', after = '']) => {
      const path = posix.join(posix.dirname(promisesPage), link);
      const text = texts.get(path);
      const missing = namesBehind(after).filter((name) => !text?.includes(name));
      const found =
        text === undefined
          ? [`There is no file ${path}.`]
          : missing.map((name) => `${path} has no "${name}".`);
      const instead = 'Name what enforces or tests the rule today.';
      return found.map((words): Finding => ({ rule: 'promises', offset, found: words, instead }));
    }),
  );
}

function namesBehind(text: string): string[] {
  const names = text.matchAll(/`([^`]+)`|"([^"]+)"/g);
  return [...names].map(([, code, claim = '']) => code ?? claim.replaceAll(/\s+/g, ' '));
}

function at({ path, text }: TextFile, findings: readonly Finding[]): Violation[] {
  return findings.map((finding) => violationAt(path, text, finding));
}
