/** The pages of this repository: links that lead somewhere, and examples that the programs accept. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { parseConfiguration } from '@tandem/manager/config';
import { parseCommandLine } from '@tandem/manager/flags';
import { readWhole } from '@tandem/provider-static/inventory';
import { parseAllDocuments } from 'yaml';
import { minors, readMinorRecipe } from '../../test/control-plane/binaries/recipe.ts';
import { eventGroups } from './events-page.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', 'manifests/**/*.md'], { cwd: root }).toSorted();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the pages', () => {
  it('link only to files and headings that exist', () => {
    assert.ok(pages.length > 30, 'pages were found');
    const dead = pages.flatMap((page) => deadLinks(page).map((link) => `${page}: ${link}`));
    assert.deepEqual(dead, []);
  });

  it('are all linked from README or from a page that is', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) for (const to of linkedPages(page)) reached.add(to);
    const lost = pages.filter((page) => page.startsWith('docs/') && !reached.has(page));
    assert.deepEqual(
      lost.filter((page) => !page.startsWith('docs/decisions/')),
      [],
    );
  });

  it('show only configuration and inventories that the manager reads', () => {
    const examples = pages.flatMap(yamlExamples);
    const configurations = examples.filter(({ kind }) => kind === 'ManagerConfiguration');
    const inventories = examples.filter(({ kind }) => kind === 'StaticInventory');
    assert.ok(configurations.length > 0 && inventories.length > 0, 'examples were found');
    for (const { page, text } of configurations) {
      const { problems } = parseConfiguration(text, { path: page, gates: { CloudNodeIPs: true } });
      assert.deepEqual(problems, [], page);
    }
    for (const { page, text } of inventories) {
      assert.deepEqual(readWhole(text, page).refusals, [], page);
    }
  });

  it('show only command lines that the manager accepts', () => {
    const commands = pages.flatMap((page) => managerCommands(page).map((args) => ({ page, args })));
    assert.ok(commands.length > 10, `only ${commands.length} commands were found`);
    const refused = commands.flatMap(({ page, args }) => {
      const line = parseCommandLine(args);
      return line.kind === 'run' && line.problems.length > 0
        ? [`${page}: ${args.join(' ')}: ${line.problems.join()}`]
        : [];
    });
    assert.deepEqual(refused, []);
  });

  it('help with every refusal code, and with no other', () => {
    const [, byCode = ''] = read('docs/guides/troubleshooting.md').split('## By refusal code');
    const headings = Array.from(byCode.matchAll(/^### (\w+)$/gm), ([, heading]) => heading);
    assert.deepEqual(headings, [...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)]);
  });

  it('link every refusal code and every Warning event from troubleshooting', () => {
    const links = new Set(linksOf('docs/guides/troubleshooting.md'));
    const codes = [...Object.keys(requestRefusals), ...Object.keys(nodeRefusals)];
    const warnings = eventGroups
      .flatMap(({ events }) => events)
      .filter(({ type, warnsWhen }) => type === 'Warning' || warnsWhen !== undefined)
      .filter(({ reason }) => !codes.includes(reason));
    assert.ok(warnings.length > 10, `only ${warnings.length} Warning events were found`);
    const wanted = [
      ...codes.map((code) => `../reference/refusals.md#${code.toLowerCase()}`),
      ...warnings.map(({ reason }) => `../reference/events.md#${reason.toLowerCase()}`),
    ];
    assert.deepEqual(
      wanted.filter((link) => !links.has(link)),
      [],
    );
  });

  it('name the versions of Kubernetes that the tests run on as tested, and no others', () => {
    const tested = /^\| (\S+) +\| tested with etcd (\S+) and kube-apiserver (\S+)/gm;
    const rows = Array.from(read('docs/reference/versions.md').matchAll(tested));
    assert.deepEqual(
      rows.map(([, ...row]) => row),
      minors.map((minor) => {
        const { versions } = readMinorRecipe(minor);
        return [minor, versions.etcd.slice(1), versions['kube-apiserver'].slice(1)];
      }),
    );
  });
});

function deadLinks(page: string): string[] {
  return linksOf(page).filter((link) => {
    const [path = '', heading] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return heading !== undefined && !headingsOf(target).includes(heading);
  });
}

/** Those inside the repository. */
function linksOf(page: string): string[] {
  const prose = read(page).replaceAll(/^```.*?^```$/gms, '');
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link).filter(
    (link) => !/^[a-z]+:/.test(link),
  );
}

function linkedPages(page: string): string[] {
  const targets = linksOf(page).map((link) => join(dirname(page), link.split('#')[0] ?? ''));
  return targets.filter((target) => pages.includes(target));
}

/** As GitHub names them. */
function headingsOf(page: string): string[] {
  const prose = read(page).replaceAll(/^```.*?^```$/gms, '');
  return Array.from(prose.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The arguments of each command that starts the manager, as a shell would split them. */
function managerCommands(page: string): string[][] {
  const joined = read(page).replaceAll(/\\\n\s*/g, ' ');
  const lines = joined.matchAll(/\bcloud-controller-manager (--[^\n`]*)/g);
  const commands = Array.from(lines, ([, text = '']) => {
    // What comes after these is for the shell.
    const [command = ''] = text.split(/ (?:\|\||&|>|2>|#) ?/);
    return command
      .trim()
      .split(/\s+/)
      .map((word) => word.replaceAll(/["']/g, ''));
  });
  // Prose shows a flag alone, with its value in capitals.
  return commands.filter((args) => !args.some((arg) => /=[A-Z]+$/.test(arg)));
}

interface Example {
  readonly page: string;
  readonly kind: unknown;
  readonly text: string;
}

/** Whole objects only: an example without `kind` shows a part, and one with `…` is shortened. */
function yamlExamples(page: string): Example[] {
  return Array.from(read(page).matchAll(/^```yaml\n(.*?)^```$/gms), ([, text = '']) => text)
    .filter((text) => !text.includes('…'))
    .flatMap((text) => {
      const documents = parseAllDocuments(text);
      return documents.map((document) => ({ page, kind: document.toJS()?.kind, text }));
    });
}
