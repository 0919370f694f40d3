/** Prints an answer as text: the request and its source, the addresses of the cloud, each step and the result. */
import { type NodeAddress, printable, quote } from '@tandem/core/node-address';
import type { Answer } from './answer.ts';

/** An answer, whose refusal may have any code. */
export type PrintedAnswer = Omit<Answer, 'error'> & {
  readonly error: { readonly code: string; readonly message: string } | null;
};

export function printText(
  answer: PrintedAnswer,
  {
    hasColour,
    isCloudKnown = true,
  }: { readonly hasColour: boolean; readonly isCloudKnown?: boolean },
): string {
  const paint = hasColour ? colours : plain;
  const { request, cloud, excluded, steps } = answer;
  const sections = [
    section(
      'Request',
      request === null
        ? ['none']
        : [`${quote(request.value, valueMax)} from ${printable(request.source, valueMax)}`],
    ),
    section(
      'Cloud',
      cloud.length === 0 ? [isCloudKnown ? 'no address' : 'not known'] : columns(cloud),
    ),
    section(
      'Excluded',
      columns(
        excluded.map(({ type, address, reason }) => ({ type, address: `${address}  ${reason}` })),
      ),
    ),
    section(
      'Steps',
      steps.map((step, index) => `${index + 1}. ${step}`),
    ),
    outcome(answer, paint),
  ];
  return `${sections.filter((text) => text !== '').join('\n')}\n`;
}

type Paint = typeof plain;

const plain = {
  good: (text: string): string => text,
  bad: (text: string): string => text,
};

const colours: Paint = {
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  bad: (text) => `\u001b[31m${text}\u001b[39m`,
};

const valueMax = 128;
const titleWidth = 10;

/** Returns a title with its lines beside it, or an empty text without lines. */
function section(title: string, lines: readonly string[]): string {
  return lines
    .map((line, index) => `${(index === 0 ? title : '').padEnd(titleWidth)}${line}`)
    .join('\n');
}

function columns(entries: readonly NodeAddress[]): string[] {
  const shown = entries.map(({ type, address }) => ({
    type: printable(type, valueMax),
    address: printable(address, valueMax),
  }));
  const width = Math.max(0, ...shown.map(({ type }) => type.length));
  return shown.map(({ type, address }) => `${type.padEnd(width)}  ${address}`);
}

function outcome({ addresses, stack, error, kubelet }: PrintedAnswer, paint: Paint): string {
  if (error !== null) {
    return section('Refused', [paint.bad(error.code), error.message]);
  }
  if (addresses === null) {
    return section('Refused', [
      paint.bad('the kubelet does not start'),
      `${kubelet?.refused ?? ''}. Give the kubelet one address, or one of each family.`,
    ]);
  }
  return section('Result', [paint.good(stack ?? 'no node IP'), ...columns(addresses)]);
}
