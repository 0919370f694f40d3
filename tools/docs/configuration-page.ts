/** `docs/reference/configuration.md`: the file of `--config`, field by field, with an example. */
import type { FieldDeclaration } from '@tandem/cli/yaml';
import { enumerate } from '@tandem/core/node-address';
import { exampleConfiguration, fieldTables } from '@tandem/manager/config';

export function renderConfiguration(): string {
  return `# The configuration file

<!-- Made by \`npm run docs\` from packages/manager/src/config. -->

\`cloud-controller-manager --config=FILE\` reads a YAML (or JSON) file once, when it starts. It exits with code 2 if the file has
unknown fields, values of the wrong kind, invalid networks or selectors, requests that Tandem would refuse, VIPs
that contradict each other, or pools that overlap. It reports all problems at once, each with its line and the path of the field. A
message repeats nothing of the file but field names and the faulty value.

A field with the value \`null\` counts as left out.

\`\`\`yaml
${exampleConfiguration}\`\`\`

${fieldTables.map(renderTable).join('\n')}`;
}

function renderTable({ title, path, alsoAt = [], fields }: (typeof fieldTables)[number]): string {
  const quoted = [path, ...alsoAt].map((place) => `\`${place}\``);
  const places = enumerate(quoted, Number.POSITIVE_INFINITY);
  const where = path === '' ? '' : `At ${places}.\n\n`;
  const items = Object.entries(fields).map(([name, field]) => renderField(name, field));
  return `## ${title}\n\n${where}${items.join('\n')}\n`;
}

function renderField(name: string, { type, meaning, isRequired }: FieldDeclaration): string {
  return `- \`${name}\` (${type}${isRequired ? ', required' : ''}): ${meaning}`;
}
