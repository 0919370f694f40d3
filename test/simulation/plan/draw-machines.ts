/**
 * The machines of a world: mostly ordinary ones of one family or both, with or without a request, good
 * or bad, and a few that are nobody's, somebody else's or somebody's twice.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Random } from '@tandem/runtime';
import { between, isDrawn, oneOf } from './draw.ts';
import { type MachineKind, originalsOf, type PlannedMachine } from './plan.ts';

const nodesInWorld = 20;

/** VIPs of the cluster: the manager is told of them, and some machine lists them as its own. */
export const vips: readonly [string, string] = ['10.0.0.5', 'fd00::5'];

export function drawMachines(random: Random): readonly PlannedMachine[] {
  const ordinary = Array.from({ length: nodesInWorld - 3 }, (_, index) =>
    drawMachine(random, index + 1),
  );
  const odd = [0, 1, 2].map((index) =>
    drawOdd(random, { number: nodesInWorld - index, ordinary: ordinary.slice(index, index + 4) }),
  );
  return [...ordinary, ...odd];
}

/** Makes newcomers of another cloud of some machines that this one has never heard of. */
export function drawStrangers(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly PlannedMachine[] {
  return machines.map((machine) =>
    machine.kind.is === 'missing' && isDrawn(random, 0.5)
      ? { ...machine, kind: { is: 'stranger' } }
      : machine,
  );
}

/** Takes the other cloud's providerID from some of its machines and gives them a label in its place. */
export function drawUnmanaged(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly PlannedMachine[] {
  return machines.map((machine, index) =>
    machine.kind.is === 'foreign' && isDrawn(random, 0.5)
      ? { ...machine, kind: { is: 'unmanaged', providerID: `simulated:///zone-0/i-none${index}` } }
      : machine,
  );
}

/** Makes kubelets of twins, and of those that have one, spell their providerIDs in other ways. */
export function drawSpellings(
  random: Random,
  machines: readonly PlannedMachine[],
): readonly PlannedMachine[] {
  const originals = originalsOf(machines);
  return machines.map((machine) => {
    const isOneOfTwo = machine.kind.is === 'twin' || originals.has(machine.name);
    const spelling = oneOf(random, [undefined, 0, 1]);
    return isOneOfTwo && spelling !== undefined ? { ...machine, spelling } : machine;
  });
}

/** What a machine has, by its number and by how often it got other addresses. */
export function drawAddresses(random: Random, number: number, round: number): NodeAddress[] {
  const internal = (address: string): NodeAddress => ({ type: 'InternalIP', address });
  const low = `${round}.${number}`;
  const tail = `${round}:${number.toString(16)}`;
  // Nothing at all, or nothing that may be used.
  if (isDrawn(random, 0.06)) return isDrawn(random, 0.5) ? [] : vips.map(internal);
  const stack = oneOf(random, ['dual', 'dual', 'dual', 'ipv4', 'ipv6']);
  const hasIPv4 = stack !== 'ipv6';
  const hasIPv6 = stack !== 'ipv4';
  const addresses = [
    ...(hasIPv4 ? [internal(`10.1.${low}`)] : []),
    ...(hasIPv4 && isDrawn(random, 0.3) ? [internal(`10.2.${low}`)] : []),
    ...(hasIPv6 ? [internal(`fd00:1::${tail}`)] : []),
    ...(hasIPv6 && isDrawn(random, 0.3) ? [internal(`fd00:2::${tail}`)] : []),
    ...(hasIPv4 && isDrawn(random, 0.2) ? [{ type: 'ExternalIP', address: `198.51.${low}` }] : []),
  ];
  // A VIP that wanders comes at the head of the list as well as at its end.
  if (isDrawn(random, 0.15)) addresses.unshift(internal(vips[0]));
  if (isDrawn(random, 0.15)) addresses.push(internal(vips[1]));
  return addresses;
}

/** What may be asked of a machine with these addresses, sensible or not. */
export function drawRequest(random: Random, addresses: readonly NodeAddress[]): string {
  if (isDrawn(random, 0.1)) return oneOf(random, ['203.0.113.9', '2001:db8::9,IPv4']);
  const own = addresses.map(({ address }) => address).filter((address) => !vips.includes(address));
  const ipv4 = own.find((address) => address.includes('.')) ?? '203.0.113.9';
  const ipv6 = own.find((address) => address.includes(':')) ?? '2001:db8::9';
  return oneOf(random, [
    'IPv4',
    'IPv6',
    'IPv4,IPv6',
    'IPv6,IPv4',
    ipv4,
    ipv6,
    `${ipv4},${ipv6}`,
    `${ipv6},${ipv4}`,
    `IPv6,${ipv4}`,
  ]);
}

/** What only an operator can write: kubelets do not start with it. */
export function drawOperatorRequest(random: Random, addresses: readonly NodeAddress[]): string {
  if (isDrawn(random, 0.7)) return drawRequest(random, addresses);
  return oneOf(random, [
    '',
    'ipv4',
    'IPv4, IPv6',
    'IPv4,IPv6,IPv4',
    'IPv4,IPv4',
    '10.1.0.1,10.1.0.2',
    '0.0.0.0,IPv6',
    vips[0],
  ]);
}

function drawMachine(random: Random, number: number): PlannedMachine {
  const addresses = drawAddresses(random, number, 1);
  return {
    ...named(random, number),
    kind: { is: 'own' },
    addresses,
    nodeIP: isDrawn(random, 0.5) ? drawRequest(random, addresses) : null,
    operator: isDrawn(random, 0.25) ? drawOperatorRequest(random, addresses) : undefined,
  };
}

function drawOdd(
  random: Random,
  { number, ordinary }: { readonly number: number; readonly ordinary: readonly PlannedMachine[] },
): PlannedMachine {
  const machine = drawMachine(random, number);
  const original = ordinary[between(random, 0, ordinary.length - 1)];
  const what = oneOf(random, ['own', 'missing', 'twin', 'foreign']);
  switch (what) {
    case 'own':
      return machine;
    case 'missing':
      return { ...machine, kind: { is: 'missing' } };
    case 'foreign':
      return { ...machine, kind: foreign(number) };
    case 'twin': {
      if (original === undefined) return machine;
      // Its kubelet knows whose machine it is once that one is there.
      const atMs = original.atMs + between(random, 0, 3_000);
      return { ...machine, atMs, kind: { is: 'twin', of: original.name } };
    }
  }
}

function foreign(number: number): MachineKind {
  return { is: 'foreign', providerID: `aws:///eu-central-1a/i-0c0ffee${number}` };
}

function named(random: Random, number: number): Pick<PlannedMachine, 'name' | 'atMs'> {
  const atMs = isDrawn(random, 0.5) ? 0 : between(random, 1, 6_000);
  return { name: `node-${String(number).padStart(2, '0')}`, atMs };
}
