/** The two tables of KEP-3705 as this program computes them, in the layout of the KEP. */
import {
  type NodeAddress,
  readAddresses,
  runKubelet,
  explainAddresses,
  kubeletAnnotation,
} from '@tandem/core/node-address';

const nodeIPs = [
  null,
  '0.0.0.0',
  '::',
  '1.2.3.4',
  '9.10.11.12',
  'abcd::5678',
  '1.2.3.4,abcd::1234',
  'IPv4',
  'IPv6',
  'IPv4,IPv6',
  'IPv6,5.6.7.8',
  'IPv4,abcd::ef01',
];

const clouds = [
  {
    title: 'A cloud with both families',
    addresses: ['1.2.3.4', '5.6.7.8', 'abcd::1234', 'abcd::5678'],
  },
  { title: 'A cloud with IPv4 only', addresses: ['1.2.3.4', '5.6.7.8'] },
];

export function kepTables(): string {
  return clouds
    .map(({ title, addresses }) => `${title}: ${list(addresses)}\n\n${table(addresses)}\n`)
    .join('\n');
}

function table(addresses: readonly string[]): string {
  const cloud = readAddresses(addresses.map((address) => ({ type: 'InternalIP', address })));
  const rows = nodeIPs.map((nodeIP) => {
    const { annotation } = runKubelet(nodeIP, 'kep');
    const request = annotation === null ? null : { value: annotation, source: kubeletAnnotation };
    const answer = explainAddresses({
      cloud,
      request,
      exclusions: [],
      gates: { CloudNodeIPs: true },
    });
    const result =
      answer.addresses === null
        ? `refused: ${answer.error?.code}`
        : `${list(answer.addresses.map(textOf))} (${answer.stack})`;
    return [nodeIP ?? '(none)', annotation ?? '(unset)', result];
  });
  return layOut([['--node-ip', 'Annotation', 'Resulting node addresses'], ...rows]);
}

function layOut([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill = ' '): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n');
}

function list(texts: readonly string[]): string {
  return `[${texts.map((text) => `"${text}"`).join(', ')}]`;
}

function textOf({ address }: NodeAddress): string {
  return address;
}
