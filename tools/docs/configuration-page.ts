/** `docs/reference/configuration.md`: the file of `--config`, field by field, with an example. */
import type { FieldDeclaration } from '@tandem/cli/yaml';
import { exampleConfiguration, fieldTables } from '@tandem/manager/config';

export function renderConfiguration(): string {
  return `# The configuration file

<!-- Made by \`npm run docs\` from packages/manager/src/config. -->

\`cloud-controller-manager --config=FILE\` reads a YAML (or JSON) file once, at the start. It is strict: unknown
fields, values of the wrong kind, networks and selectors that cannot be, requests that would be refused, VIPs
that contradict each other and pools that overlap end the program with exit code 2. Every problem is told at
once, with its line and the path of the field; of the file nothing but names of fields and the value at fault is
repeated.

A field that is left out and one that is \`null\` are the same.

\`\`\`yaml
${exampleConfiguration}\`\`\`

${fieldTables.map(renderTable).join('\n')}`;
}

function renderTable({ title, path, alsoAt, fields }: (typeof fieldTables)[number]): string {
  const other = alsoAt === undefined ? '' : ` and \`${alsoAt}\``;
  const where = path === '' ? '' : `At \`${path}\`${other}.\n\n`;
  const items = Object.entries(fields).map(([name, field]) => renderField(name, field));
  return `## ${title}\n\n${where}${items.join('\n')}\n`;
}

function renderField(name: string, { type, meaning, isRequired }: FieldDeclaration): string {
  return `- \`${name}\` (${type}${isRequired ? ', required' : ''}): ${meaning}`;
}
