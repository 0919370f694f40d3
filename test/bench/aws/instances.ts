/** The instances of the bench: as much text for each as large clusters have, and the addresses of the fleet. */
import { anInstance, anInterface, type FakeInstance } from '../../support/ec2/index.ts';
import { instanceOf } from '../contest/fleet.ts';
import { nodeName } from '../informer/node-objects.ts';

const secondaryAddresses = 10;
const tagCount = 12;

export function fleetOfInstances(count: number, region: string): ReadonlyMap<string, FakeInstance> {
  const all = Array.from({ length: count }, (_, number) => aBusyInstance(number, region));
  return new Map(all.map((instance) => [instance.id, instance]));
}

/** Two interfaces, the second of which is for pods. */
function aBusyInstance(number: number, region: string): FakeInstance {
  const [ipv4 = '', ipv6 = ''] = instanceOf(number).addresses.map(({ address }) => address);
  const first = anInterface(2 * number, { ipv4: [ipv4], ipv6: [ipv6] });
  const second = anInterface(2 * number + 1, {
    device: 1,
    ipv4: Array.from(
      { length: secondaryAddresses },
      (_, index) => `100.64.${number & 255}.${index + 1}`,
    ),
    ipv6: [],
  });
  const extra = Array.from({ length: tagCount - 1 }, (_, index) => [`team-${index}`, 'platform']);
  return anInstance(number + 1, {
    privateDnsName: nodeName(number),
    zone: `${region}a`,
    tags: { 'kubernetes.io/cluster/bench': 'owned', ...Object.fromEntries(extra) },
    interfaces: [first, second],
  });
}
