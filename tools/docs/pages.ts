/** The generated pages of `docs/` and of the chart: their paths, and how to render them. */
import { kepTables } from '@tandem/kubectl-nodeip/explain';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { chartFiles } from '../chart/chart-files.ts';
import { observabilityFiles } from '../observability/observability-files.ts';
import { renderConfiguration } from './configuration-page.ts';
import { renderErrors } from './errors-page.ts';
import { renderEvents } from './events-page.ts';
import { renderFlags } from './flags-page.ts';
import { renderMetrics } from './metrics-page.ts';
import { renderNodeKeys } from './node-keys.ts';

interface GeneratedPage {
  readonly path: string;
  /** Renders the whole text. A page with a generated part reads its current text. */
  readonly render: (readCurrent: () => string) => string;
}

export const generatedPages: readonly GeneratedPage[] = [
  { path: 'docs/reference/annotations-labels-taints.md', render: renderNodeKeys },
  { path: 'docs/reference/configuration.md', render: renderConfiguration },
  { path: 'docs/reference/errors.md', render: renderErrors },
  { path: 'docs/reference/events.md', render: renderEvents },
  { path: 'docs/reference/flags.md', render: renderFlags },
  { path: 'docs/reference/metrics.md', render: renderMetrics },
  { path: 'docs/reference/refusals.md', render: renderRefusals },
  ...chartFiles.map(({ path, render }) => ({ path, render: () => render() })),
  ...observabilityFiles,
  {
    path: 'docs/explanation/node-addresses.md',
    render: (readCurrent) => replacePart(readCurrent(), 'kep-tables', kepTables()),
  },
];

function renderRefusals(): string {
  return `# Why a request or a node is refused

<!-- Made by \`npm run docs\` from refusal.ts and node-refusal.ts in packages/core/src. -->

A refused node-IP request has exactly one code of the first list: the first code that applies, in this order. The codes of the
second list are about nodes, whatever they request. A code is also the reason of the event on the node and
the \`code\` label of the metric. Its meaning never changes. While Tandem refuses a node or its request, a node that is not yet
initialised keeps its taint, and an initialised node keeps its addresses.

# Of requests

${describe(requestRefusals)}
# Of nodes

${describe(nodeRefusals)}`;
}

function describe(refusals: Readonly<Record<string, { meaning: string; remedy: string }>>): string {
  return Object.entries(refusals)
    .map(([code, { meaning, remedy }]) => `## ${code}\n\n${meaning}\n\n**What to do:** ${remedy}\n`)
    .join('\n');
}

/** Puts a text between the marks of a generated part. */
export function replacePart(page: string, name: string, text: string): string {
  const begin = `<!-- begin ${name}: made by \`npm run docs\` -->`;
  const end = `<!-- end ${name} -->`;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`the page has no part "${name}": put "${begin}" and "${end}" into it`);
  }
  return `${before}${begin}\n\n${text}\n${end}${after}`;
}
