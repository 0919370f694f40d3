/**
 * Compares the rows with the expected result of each machine, which for the rows of the KEP is what the KEP says. A
 * missing node is a difference as well.
 */
import { enumerate } from '@tandem/core/node-address';
import type { Row } from './board/index.ts';
import type { Expected, ExpectedPodCIDRs, Machine } from './machines/index.ts';

export interface Difference {
  readonly node: string;
  /** A sentence with the expected and the actual state. */
  readonly message: string;
}

export function findDifferences(
  machines: readonly Machine[],
  findRow: (node: string) => Row | undefined,
): readonly Difference[] {
  return machines.flatMap((machine) => {
    const { name: node, group, expected, expectedPodCIDRs } = machine;
    const row = findRow(node);
    if (row !== undefined && isAsExpected(row, machine)) return [];
    const who = group === 'KEP-3705' ? 'KEP-3705 specifies' : 'expected';
    if (row === undefined) {
      return [{ node, message: `${who} ${describe(expected)}, but the node does not exist` }];
    }
    if (!hasExpectedState(row, expected)) {
      const message = `${who} ${describe(expected)}, but the node is ${describeRow(row)}`;
      return [{ node, message }];
    }
    const wanted = describePodCIDRs(expectedPodCIDRs.families, expectedPodCIDRs.code);
    const found = describePodCIDRs(row.podCIDRs, row.podCIDRProblem?.code ?? null);
    return [{ node, message: `expected ${wanted}, but the node has ${found}` }];
  });
}

export function isAsExpected(
  row: Row,
  { expected, expectedPodCIDRs }: Pick<Machine, 'expected' | 'expectedPodCIDRs'>,
): boolean {
  return hasExpectedState(row, expected) && hasExpectedPodCIDRs(row, expectedPodCIDRs);
}

function hasExpectedPodCIDRs(
  { podCIDRs, podCIDRProblem }: Row,
  { families, code }: ExpectedPodCIDRs,
): boolean {
  const found = podCIDRs.map((podCIDR) => (podCIDR.includes(':') ? 'IPv6' : 'IPv4'));
  return found.join() === families.join() && (podCIDRProblem?.code ?? null) === code;
}

function describePodCIDRs(podCIDRs: readonly string[], code: string | null): string {
  const list = podCIDRs.length === 0 ? 'no pod CIDRs' : `pod CIDRs ${enumerate(podCIDRs)}`;
  return code === null ? list : `${list} (${code})`;
}

function hasExpectedState(row: Row, expected: Expected): boolean {
  if (row.state !== expected.state) return false;
  switch (expected.state) {
    case 'ready':
      return row.stack === expected.stack && textsOf(row).join() === expected.addresses.join();
    case 'refused':
      return row.code === expected.code && row.got.length === 0;
    case 'paused':
      return row.got.length === 0;
  }
}

function describe(expected: Expected): string {
  switch (expected.state) {
    case 'ready':
      return `${enumerate(expected.addresses)} (${expected.stack})`;
    case 'refused':
      return `a refusal with ${expected.code}`;
    case 'paused':
      return 'a paused node';
  }
}

function describeRow(row: Row): string {
  const { state, code, stack } = row;
  const got = row.got.length === 0 ? '' : ` with ${enumerate(textsOf(row))} (${stack})`;
  return `${state}${code === null ? '' : ` (${code})`}${got}`;
}

function textsOf({ got }: Row): readonly string[] {
  return got.map(({ address }) => address);
}
