/** `docs/reference/errors.md`: every error code, what it means and what to do. */
import type { ErrorNote } from '@tandem/kube/errors';
import { type ErrorGroup, errorGroups } from './error-codes.ts';

export function renderErrors(): string {
  return `# The error codes

<!-- Made by \`npm run docs\` from the tables of error codes in packages/kube, packages/provider and tools/docs. -->

Every failure that the program logs or passes on has a code. The meaning of a code never changes, so base alerts
on the code and not on the message. Each failure also has two facts:

- **retry**: with \`backoff\`, Tandem tries again after a growing wait. With \`afterMs\`, it tries again after the time
  that the other side named. With \`never\`, the same call would fail again: a person has to fix the cause, or Tandem has to read the
  current state and decide again.
- **effect**: \`none\` means that nothing changed, \`applied\` that the change was made, and \`unknown\` that it may or
  may not have been made. After \`unknown\`, Tandem reads the object before it decides again.

[Another page](refusals.md) lists the reasons for which Tandem refuses a node or its request.

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
