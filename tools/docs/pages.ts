/** The generated pages of `docs/`: where each lies and how its text follows from the code. */
import { kepTables } from '@tandem/kubectl-nodeip/explain';
import { requestRefusals } from '@tandem/core/node-address';

export interface GeneratedPage {
  readonly path: string;
  /** The whole text. A page that is written by hand around a generated part reads itself. */
  readonly render: (readCurrent: () => string) => string;
}

export const generatedPages: readonly GeneratedPage[] = [
  { path: 'docs/reference/refusals.md', render: renderRefusals },
  {
    path: 'docs/explanation/node-addresses.md',
    render: (readCurrent) => replacePart(readCurrent(), 'kep-tables', kepTables()),
  },
];

function renderRefusals(): string {
  const sections = Object.entries(requestRefusals).map(
    ([code, { meaning, remedy }]) => `## ${code}\n\n${meaning}\n\n**What to do:** ${remedy}\n`,
  );
  return `# Why a request is refused

<!-- Made by \`npm run docs\` from packages/core/src/node-address/refusal.ts. -->

Every refused node-IP request has exactly one of these codes: the first that applies, in this order.
The code is also the reason of the event on the node and the \`code\` label of the metric. It never
changes its meaning. A node that is not yet initialised keeps its taint while its request is refused;
an initialised one keeps the addresses that it has.

${sections.join('\n')}`;
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
