/** DescribeInstanceTopology: the network nodes above each instance that has a topology, by ids alone, in pages. */
import { requireIds } from './describe-instances.ts';
import { invalidValue } from './error.ts';
import { pageOf, refuseSizeWithIds } from './paging.ts';
import type { Query } from './query.ts';
import type { EC2State } from './state.ts';
import type { XmlValue } from './xml.ts';

const idsMax = 100;

export function describeTopology(
  state: EC2State,
  query: Query,
  pageSizeMax: number,
): Record<string, XmlValue> {
  query.allow('InstanceId', 'MaxResults', 'NextToken');
  const ids = query.list('InstanceId');
  refuseSizeWithIds(query, ids);
  if (ids.length > idsMax) {
    throw invalidValue(String(ids.length), 'instanceId', `Expecting at most ${idsMax} ids.`);
  }
  requireIds(state, ids);
  const all = [...state.instances.values()].filter(
    ({ id, networkNodes }) => ids.includes(id) && networkNodes.length > 0,
  );
  const rules = { sizeMin: 1, sizeMax: 100, sizeGivenMax: pageSizeMax, sizeDefault: pageSizeMax };
  const { items, nextToken } = pageOf(all, query, rules);
  return {
    instanceSet: items.map(({ id, type, zone, networkNodes }) => ({
      instanceId: id,
      instanceType: type,
      networkNodeSet: networkNodes,
      availabilityZone: zone,
      zoneId: state.zones.get(zone),
    })),
    nextToken,
  };
}
