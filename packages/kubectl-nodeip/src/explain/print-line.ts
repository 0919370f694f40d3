/**
 * An answer as one line of JSON: to the letter what `toJson` gives. Almost every question is plain,
 * and then the line is put together from its parts in half the time that `JSON.stringify` takes to
 * walk the answer: what needs no escaping in the question needs none where the answer repeats it.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Answer } from './answer.ts';
import type { BatchQuestion } from './batch-line.ts';
import { toJson } from './to-json.ts';

export function printLine(
  answer: Answer,
  { name, isPlain }: Pick<BatchQuestion, 'name' | 'isPlain'>,
): string {
  // The reason of an exclusion is not of the question, so nothing is known about its text.
  if (isPlain && answer.excluded.length === 0) return printPlain(answer, name);
  return `${toJson(name === undefined ? answer : { name, ...answer })}\n`;
}

function printPlain(answer: Answer, name: string | undefined): string {
  const { request, cloud, addresses, stack, error, steps, kubelet } = answer;
  const named = name === undefined ? '{' : `{"name":"${name}",`;
  const asked =
    request === null ? 'null' : `{"value":"${request.value}","source":"${request.source}"}`;
  const given = addresses === null ? 'null' : printEntries(addresses);
  const stacked = stack === null ? 'null' : `"${stack}"`;
  const refused =
    error === null ? 'null' : `{"code":"${error.code}","message":${printSentence(error.message)}}`;
  const told = kubelet === undefined ? '' : `,"kubelet":${JSON.stringify(kubelet)}`;
  return (
    `${named}"request":${asked},"cloud":${printEntries(cloud)},"excluded":[],"addresses":${given},` +
    `"stack":${stacked},"error":${refused},"steps":${printSentences(steps)}${told}}\n`
  );
}

function printEntries(entries: readonly NodeAddress[]): string {
  let text = '';
  for (const { type, address } of entries) {
    text += `${text === '' ? '[{"type":"' : '"},{"type":"'}${type}","address":"${address}`;
  }
  return text === '' ? '[]' : `${text}"}]`;
}

function printSentences(sentences: readonly string[]): string {
  let text = '';
  for (const sentence of sentences) text += `${text === '' ? '[' : ','}${printSentence(sentence)}`;
  return text === '' ? '[]' : `${text}]`;
}

/** Our own words around something plain, which they may put in quotes. */
function printSentence(text: string): string {
  return text.includes('"') ? JSON.stringify(text) : `"${text}"`;
}
