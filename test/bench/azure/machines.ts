/**
 * The machines of the bench: scale sets and a few single machines, with as much text for each as Azure has, and the
 * addresses of the fleet. Nodes have the computer names of their machines.
 */
import {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  type ArmState,
  aScaleSet,
  type FakeInstance,
  type FakeInterface,
  withMachine,
  withScaleSet,
} from '../../support/arm/index.ts';
import { aRegisteredNode, instanceOf, staticInventory } from '../contest/fleet.ts';

export const scaleSetCount = 10;
const singleCount = 20;

/** Instances of scale sets have six digits to the base of 36 behind the prefix of their set. */
function nodeNameOf(number: number): string {
  if (number < singleCount) return `single-${number}`;
  return `${prefixOf(number)}${number.toString(36).padStart(6, '0')}`;
}

interface RegisteredNode {
  readonly metadata?: object;
  readonly spec?: object;
}

export function aNodeOnAzure(number: number): RegisteredNode {
  const node: RegisteredNode = aRegisteredNode(number);
  return { ...node, metadata: { ...node.metadata, name: nodeNameOf(number) } };
}

export const routedLabel = { bench: 'routes' };

/** A node for routes in both families: it requests no address, and has its pod CIDRs. */
export function aRoutedNode(number: number): RegisteredNode {
  const node = aNodeOnAzure(number);
  const podCIDRs = [`10.244.${number & 255}.0/24`, `fd00:10:244:${(number & 255) + 1}::/64`];
  return {
    ...node,
    metadata: { name: nodeNameOf(number), labels: routedLabel },
    spec: { ...node.spec, podCIDR: podCIDRs[0], podCIDRs },
  };
}

/** The same nodes, as machines of the provider static. */
export function inventoryOf(count: number): string {
  return staticInventory(count).replaceAll(/\bnode-(\d{5})\b/g, (_, digits: string) =>
    nodeNameOf(Number(digits)),
  );
}

export function withFleet(state: ArmState, count: number): ArmState {
  const numbers = Array.from({ length: count }, (_, number) => number);
  let next = state;
  for (const number of numbers.slice(0, singleCount)) {
    const name = nodeNameOf(number);
    next = withMachine(
      next,
      aMachine(number, { name, computerName: name, interfaces: [nicOf(number)] }),
    );
  }
  const byPrefix = Map.groupBy(numbers.slice(singleCount), prefixOf);
  for (const [prefix, members] of byPrefix) {
    next = withScaleSet(next, aScaleSet(prefix, { instances: members.map(instanceFor) }));
  }
  return next;
}

function instanceFor(number: number): FakeInstance {
  const computerName = nodeNameOf(number);
  return anInstance('', number, { computerName, interfaces: [nicOf(number)] });
}

/** With Azure CNI there are addresses of pods beside those of the node. */
function nicOf(number: number): FakeInterface {
  const [ipv4 = '', ipv6 = ''] = instanceOf(number).addresses.map(({ address }) => address);
  const ofPods = Array.from({ length: podAddresses }, (_, pod) =>
    aConfiguration(`100.64.${number & 255}.${pod + 1}`, { name: `pod-${pod}`, primary: false }),
  );
  const own = [aConfiguration(ipv4), aConfiguration(ipv6, { name: 'ipv6' })];
  return anInterface(number, { configurations: [...own, ...ofPods] });
}

const podAddresses = 30;

const prefixOf = (number: number): string => `pool-${number % scaleSetCount}`;
