/**
 * The machines of `--nodes` and `--churn`, on a cloud that gives them one family or both. The seed decides what they
 * request. The expected result is computed here in the plainest way, and not by the code under test.
 */
import type { Random } from '@tandem/runtime';
import {
  dualStackPodCIDRs,
  type Expected,
  internalIPs,
  type Machine,
  withRoutes,
} from './machine.ts';

export type CloudStack = 'dual' | 'ipv4' | 'ipv6';
type Family = 'IPv4' | 'IPv6';

const requests: readonly (readonly Family[])[] = [
  [],
  ['IPv4'],
  ['IPv6'],
  ['IPv4', 'IPv6'],
  ['IPv6', 'IPv4'],
];

const familiesOf: Readonly<Record<CloudStack, readonly Family[]>> = {
  dual: ['IPv4', 'IPv6'],
  ipv4: ['IPv4'],
  ipv6: ['IPv6'],
};

export function furtherMachine(options: {
  /** Counted from one. The name and the addresses follow from it. */
  readonly number: number;
  readonly stack: CloudStack;
  readonly random: Random;
}): Machine {
  const { number, stack, random } = options;
  const families = familiesOf[stack];
  const asked = requests[Math.floor(random.next() * requests.length)] ?? [];
  const addresses = families.map((family) => addressOf(family, number));
  return withRoutes({
    name: `node-${String(number).padStart(4, '0')}`,
    group: 'further',
    instance: { kind: 'own', addresses: internalIPs(addresses) },
    nodeIP: asked.length === 0 ? null : asked.join(','),
    annotations: {},
    expected: expectedOf({ asked, families, number }),
    expectedPodCIDRs: dualStackPodCIDRs,
  });
}

function expectedOf(options: {
  readonly asked: readonly Family[];
  readonly families: readonly Family[];
  readonly number: number;
}): Expected {
  const { asked, families, number } = options;
  const isMissing = asked.some((family) => !families.includes(family));
  if (isMissing) return { state: 'refused', code: 'NoAddressOfFamily' };
  const named = asked.length === 0 ? families : asked;
  return {
    state: 'ready',
    addresses: named.map((family) => addressOf(family, number)),
    stack: named.length === 1 ? `SS ${named[0]}` : `DS ${named[0]}-primary`,
  };
}

/** There are more addresses than `--nodes` allows machines. */
function addressOf(family: Family, number: number): string {
  return family === 'IPv4'
    ? `10.1.${number >> 8}.${number & 255}`
    : `fd00:1::${number.toString(16)}`;
}
