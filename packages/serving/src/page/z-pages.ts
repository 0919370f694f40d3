/** Serves `/statusz` and `/flagz`, the state and the flags of the program, as text and, on request, as data. */
import { jsonReply, notAcceptable, type Reply, textReply } from '../http/reply.ts';
import type { StatusFacts, StatusRow, StatusSection } from '../pages.ts';
import { contentTypeOf, formFor, formsOf, zGroup, zVersion } from './negotiate.ts';

const componentName = 'cloud-controller-manager';

export function statuszReply(
  accept: string | undefined,
  facts: StatusFacts,
  paths: readonly string[],
): Promise<Reply> {
  const { startedMs, binaryVersion, runtimeVersion, emulationVersion } = facts;
  const seconds = Math.max(0, Math.floor(facts.uptimeMs / 1_000));
  const startTime = new Date(startedMs).toISOString().replace(/\.\d+/, '');
  const lines = [
    `Started: ${startTime}`,
    `Up: ${uptimeText(seconds)}`,
    `Node.js version: ${runtimeVersion}`,
    `Binary version: ${binaryVersion}`,
    ...(emulationVersion === undefined ? [] : [`Emulation version: ${emulationVersion}`]),
    `Leader: ${facts.leader}`,
    `Nodes: ${nodesText(facts.nodes)}`,
    `Paths: ${paths.join(' ')}`,
    ...facts.sections.flatMap(sectionLines),
  ];
  return zReply(accept, 'Statusz', lines, {
    startTime,
    uptimeSeconds: seconds,
    // Upstream's schema has a field for the version of Go. It gets the version of Node.js here.
    goVersion: `nodejs ${runtimeVersion}`,
    binaryVersion,
    ...(emulationVersion === undefined ? {} : { emulationVersion }),
    paths,
  });
}

export function flagzReply(
  accept: string | undefined,
  flags: ReadonlyMap<string, string>,
): Promise<Reply> {
  const sorted = [...flags].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const lines = sorted.map(([name, value]) => `${name}=${value}`);
  return zReply(accept, 'Flagz', lines, { flags: Object.fromEntries(sorted) });
}

async function zReply(
  accept: string | undefined,
  kind: string,
  lines: readonly string[],
  fields: object,
): Promise<Reply> {
  const object = {
    kind,
    apiVersion: `${zGroup}/${zVersion}`,
    metadata: { name: componentName },
    ...fields,
  };
  const form = formFor(accept, kind);
  switch (form) {
    case undefined:
      return notAcceptable(formsOf(kind));
    case 'text':
      return textReply(200, [...header(kind), ...lines, ''].join('\n'));
    case 'json':
      return { ...jsonReply(object), contentType: contentTypeOf(form, kind) };
    case 'yaml': {
      // Loaded only on request, because nothing else in a pod needs it.
      const { stringify } = await import('yaml');
      // Kubernetes reads YAML 1.1, in which an unquoted time is not a string.
      const body = stringify(object, { schema: 'yaml-1.1' });
      return { status: 200, contentType: contentTypeOf(form, kind), body };
    }
    default:
      return form satisfies never;
  }
}

function header(kind: string): string[] {
  const title = `${componentName} ${kind.toLowerCase()}`;
  return ['', title, 'Warning: this page is for people. Its format may change at any time.', ''];
}

function nodesText(nodes: StatusFacts['nodes']): string {
  if (nodes === undefined) return 'unknown, the list of nodes has not been read yet';
  const total = [...nodes.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return '0';
  return `${total} (${[...nodes].map(([state, count]) => `${state} ${count}`).join(', ')})`;
}

function uptimeText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)} hr ${two(minutes % 60)} min ${two(seconds % 60)} sec`;
}

/** Formats a section of `/statusz` as a text table whose columns fit their contents. */
function sectionLines({ title, rows, notes }: StatusSection): readonly string[] {
  const lines = [...tableLines(rows), ...notes];
  return [
    '',
    `${title}:`,
    ...(lines.length === 0 ? ['nothing to show'] : lines).map((line) => `  ${line}`),
  ];
}

function tableLines(rows: readonly StatusRow[]): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first).map((key) => columnLines(key, rows));
  return ['', ...rows].map((_, line) =>
    columns
      .map((column) => column[line] ?? '')
      .join('  ')
      .trimEnd(),
  );
}

/** Returns the title and a cell for each row, all of the same width. Numbers are right-aligned. */
function columnLines(key: string, rows: readonly StatusRow[]): readonly string[] {
  const cells = [key.toUpperCase(), ...rows.map((row) => String(row[key] ?? ''))];
  const width = Math.max(...cells.map((cell) => cell.length));
  const isNumeric = rows.every((row) => typeof row[key] === 'number');
  return cells.map((cell) => (isNumeric ? cell.padStart(width) : cell.padEnd(width)));
}
