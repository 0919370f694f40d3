/** Instances, interfaces and tables with what is usual; a test says only what matters to it. */
import type { FakeInstance, FakeInterface, FakeTable } from './state.ts';

/** `number` tells instances apart: it is in the id and in every address. */
export function anInstance(number: number, changes: Partial<FakeInstance> = {}): FakeInstance {
  return {
    id: idOf('i', number),
    state: 'running',
    type: 'm7g.large',
    zone: 'eu-west-1a',
    privateDnsName: `ip-10-0-0-${number}.eu-west-1.compute.internal`,
    publicDnsName: '',
    publicIp: undefined,
    tags: { 'kubernetes.io/cluster/blue': 'owned' },
    networkNodes: [],
    interfaces: [anInterface(number)],
    ...changes,
  };
}

export function anInterface(number: number, changes: Partial<FakeInterface> = {}): FakeInterface {
  return {
    id: idOf('eni', number),
    networkCard: 0,
    device: 0,
    status: 'in-use',
    sourceDestCheck: true,
    ipv4: [`10.0.${number >> 8}.${number & 255}`],
    ipv6: [`2001:db8::${number.toString(16)}`],
    primaryIpv6: undefined,
    ipv4Prefixes: [],
    ipv6Prefixes: [],
    ...changes,
  };
}

export function aTable(number: number, changes: Partial<FakeTable> = {}): FakeTable {
  return {
    id: idOf('rtb', number),
    tags: { 'kubernetes.io/cluster/blue': 'owned' },
    routesMax: 500,
    routes: [],
    ...changes,
  };
}

function idOf(prefix: string, number: number): string {
  return `${prefix}-${number.toString(16).padStart(17, '0')}`;
}
