/** `values.yaml` and `values.schema.json`, from the declared values. */
import { stringify } from 'yaml';
import type { Schema } from './schema.ts';
import { type PushedImage, settable, valuesSchema } from './values.ts';

export function renderSchema(pushed?: PushedImage): string {
  return `${JSON.stringify(valuesSchema(pushed), undefined, 2)}\n`;
}

export function renderValues(pushed?: PushedImage): string {
  const about = `The values of the Tandem chart and their defaults.
Made by \`npm run docs\` from tools/chart/values; presets/ has the values for each cloud.`;
  return `${comment(about, '')}\n\n${renderAll(settable(pushed), '')}`;
}

function renderAll(schemas: Readonly<Record<string, Schema>>, indent: string): string {
  const parts = Object.entries(schemas).map(([name, schema]) => renderOne(name, schema, indent));
  return parts.join(indent === '' ? '\n' : '');
}

function renderOne(name: string, schema: Schema, indent: string): string {
  const { description, properties } = schema;
  const head = description === undefined ? '' : `${comment(description, indent)}\n`;
  if (schema.default === undefined && properties !== undefined) {
    return `${head}${indent}${name}:\n${renderAll(properties, `${indent}  `)}`;
  }
  const text = stringify({ [name]: schema.default }, { singleQuote: true, lineWidth: 0 });
  return `${head}${indentAll(text, indent)}`;
}

function indentAll(text: string, indent: string): string {
  return text.replaceAll(/^(?=.)/gm, indent);
}

function comment(text: string, indent: string): string {
  const lines = text.split('\n').flatMap((line) => wrap(line, columns - indent.length));
  return lines.map((line) => `${indent}# ${line}`).join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? word : `${last} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

const columns = 98;
