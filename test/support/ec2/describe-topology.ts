/** DescribeInstanceTopology: the network nodes above each instance that has a topology, by ids alone. */
import { requireIds } from './describe-instances.ts';
import { invalidValue } from './error.ts';
import type { Query } from './query.ts';
import type { EC2State } from './state.ts';
import type { XmlValue } from './xml.ts';

const idsMax = 100;

export function describeTopology(state: EC2State, query: Query): Record<string, XmlValue> {
  query.allow('InstanceId');
  const ids = query.list('InstanceId');
  if (ids.length > idsMax) {
    throw invalidValue(String(ids.length), 'instanceId', `Expecting at most ${idsMax} ids.`);
  }
  requireIds(state, ids);
  const asked = [...state.instances.values()].filter(({ id }) => ids.includes(id));
  return {
    instanceSet: asked
      .filter(({ networkNodes }) => networkNodes.length > 0)
      .map(({ id, type, zone, networkNodes }) => ({
        instanceId: id,
        instanceType: type,
        networkNodeSet: networkNodes,
        availabilityZone: zone,
        zoneId: state.zones.get(zone),
      })),
  };
}
