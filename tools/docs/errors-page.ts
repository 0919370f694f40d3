/** `docs/reference/errors.md`: every error code, what it means and what to do. */
import type { ErrorNote } from '@tandem/kube/errors';
import { type ErrorGroup, errorGroups } from './error-codes.ts';

export function renderErrors(): string {
  return `# The error codes

<!-- Made by \`npm run docs\` from the tables of error codes in packages/kube, packages/provider and tools/docs. -->

Every failure that the program logs or passes on has a code, which never changes its meaning; alerts should go
by it and not by the message. Beside it each has two facts:

- **retry**: \`backoff\`: trying again may help, after a growing wait; \`afterMs\`: it will be tried after the time
  that the other side named; \`never\`: it fails again until somebody does something, or until the world is
  looked at anew.
- **effect**: \`none\`: nothing was changed; \`applied\`: the change was made; \`unknown\`: it may or may not have
  been made. Nothing is given up or decided anew on \`unknown\`: it is read back first.

Why a node or its request is refused is on [a page of its own](refusals.md).

${errorGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ title, codes }: ErrorGroup): string {
  const sections = Object.entries(codes).map(([code, note]) => renderCode(code, note));
  return `## ${title}\n\n${sections.join('\n')}`;
}

function renderCode(code: string, { meaning, retry, effect, remedy }: ErrorNote): string {
  const facts = `Retry: ${listOf(retry)}. Effect: ${listOf(effect)}.`;
  return `### ${code}\n\n${meaning}\n\n${facts}\n\n**What to do:** ${remedy}\n`;
}

function listOf(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' or ');
}
