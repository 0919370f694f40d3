/** DescribeAvailabilityZones: all zones of the region, in one answer without pages. */
import type { Query } from './query.ts';
import type { EC2State } from './state.ts';
import type { XmlValue } from './xml.ts';

export function describeZones(state: EC2State, query: Query): Record<string, XmlValue> {
  query.allow();
  return {
    availabilityZoneInfo: Array.from(state.zones, ([zoneName, zoneId]) => ({
      zoneName,
      zoneState: 'available',
      regionName: state.region,
      messageSet: [],
      zoneId,
      zoneType: 'availability-zone',
    })),
  };
}
