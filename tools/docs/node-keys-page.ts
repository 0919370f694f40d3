/** `docs/reference/annotations-labels-taints.md`: every key that Tandem reads or writes. */
import { type KeyGroup, keyGroups } from './node-keys.ts';

export function renderNodeKeys(): string {
  return `# Annotations, labels and taints

<!-- Made by \`npm run docs\` from tools/docs/node-keys.ts. -->

Every key on Nodes and on the Lease that Tandem reads or writes. It touches no other.

${keyGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ title, introduction, keys }: KeyGroup): string {
  const text = introduction === '' ? '' : `${introduction}\n\n`;
  const items = keys.map(({ key, meaning }) => `- \`${key}\`: ${meaning}`);
  return `## ${title}\n\n${text}${items.join('\n')}\n`;
}
