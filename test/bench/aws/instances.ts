/** The instances of the bench, the addresses of the fleet on them, and the route table of their cluster. */
import {
  anInstance,
  anInterface,
  aTable,
  type EC2State,
  type FakeInstance,
  type FakeInterface,
} from '../../support/ec2/index.ts';
import { instanceOf } from '../contest/fleet.ts';
import { nodeName } from '../informer/node-objects.ts';

export const region = 'eu-central-1';
export const clusterId = 'bench';

const clusterTag = { [`kubernetes.io/cluster/${clusterId}`]: 'owned' };
const secondaryAddresses = 10;
const tagCount = 12;

/** As much text for each as large clusters have: two interfaces, the second of which is for pods. */
export function aBusyInstance(number: number): FakeInstance {
  const pods = anInterface(2 * number + 1, {
    device: 1,
    ipv4: Array.from(
      { length: secondaryAddresses },
      (_, index) => `100.64.${number & 255}.${index + 1}`,
    ),
    ipv6: [],
  });
  return anInstanceWith(number, [firstInterface(number), pods]);
}

/** With the one interface that upstream needs to route to an instance. */
export function aPlainInstance(
  number: number,
  changes: Pick<FakeInterface, 'sourceDestCheck'>,
): FakeInstance {
  return anInstanceWith(number, [{ ...firstInterface(number), ...changes }]);
}

/** With the instances, and a table that has the routes to the first interfaces of some of them. */
export function withFleet(
  state: EC2State,
  instances: readonly FakeInstance[],
  destinationsOf: (number: number) => readonly string[] = () => [],
): EC2State {
  const routes = instances.flatMap(({ interfaces }, number) =>
    destinationsOf(number).map((destination) => ({
      destination,
      target: { interfaceId: interfaces[0]?.id ?? '' },
    })),
  );
  const table = aTable(1, { tags: clusterTag, routes });
  return {
    ...state,
    instances: new Map(instances.map((instance) => [instance.id, instance])),
    tables: new Map([[table.id, table]]),
  };
}

function firstInterface(number: number): FakeInterface {
  const [ipv4 = '', ipv6 = ''] = instanceOf(number).addresses.map(({ address }) => address);
  return anInterface(2 * number, { ipv4: [ipv4], ipv6: [ipv6] });
}

function anInstanceWith(number: number, interfaces: readonly FakeInterface[]): FakeInstance {
  const extra = Array.from({ length: tagCount - 1 }, (_, index) => [`team-${index}`, 'platform']);
  return anInstance(number + 1, {
    privateDnsName: nodeName(number),
    zone: `${region}a`,
    tags: { ...clusterTag, ...Object.fromEntries(extra) },
    interfaces,
  });
}
