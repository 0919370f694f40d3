/** The calls about instances and zones, and no others: the IAM policy for look-ups is made of these. */
import type { DescribeInstancesRequest, Filter } from '@aws-sdk/client-ec2';
import { legacyTag, tagKeyOf } from './cluster.ts';
import type { EC2 } from './ec2.ts';
import { requireList } from './failure.ts';
import { isTerminated } from './instance.ts';
import { readPages } from './pages.ts';
import type { Instance, Page } from './sdk/actions.ts';

/** EC2 takes no more values in the filters of one call. */
export const filterValuesMax = 200;

/** One page for each filter. */
const pageSize = filterValuesMax;

/** EC2 gives no smaller pages. */
const pageSizeMin = 5;

export class InstanceApi {
  readonly #ec2: EC2;
  #shownId: string | undefined;
  #shownName: string | undefined;

  constructor(ec2: EC2) {
    this.#ec2 = ec2;
  }

  /** The id of an instance that a filter found lately. Undefined before the first. */
  get shownId(): string | undefined {
    return this.#shownId;
  }

  /** The private DNS name of such an instance. */
  get shownName(): string | undefined {
    return this.#shownName;
  }

  /** What does not exist is left out. */
  async findByFilter(filter: Filter, signal: AbortSignal): Promise<readonly Instance[]> {
    const input = { Filters: [filter], MaxResults: pageSize };
    const instances = await readPages(describeInstances, (next) =>
      this.#describe({ ...input, ...next }, signal),
    );
    const shown = instances.filter((one) => !isTerminated(one));
    this.#shownId = shown[0]?.InstanceId ?? this.#shownId;
    this.#shownName = shown.find((one) => one.PrivateDnsName)?.PrivateDnsName ?? this.#shownName;
    return instances;
  }

  /** A few of the instances with the tag of a cluster, and perhaps of other clusters. */
  async findSomeOf(clusterId: string, signal: AbortSignal): Promise<readonly Instance[]> {
    const filter = { Name: 'tag-key', Values: [tagKeyOf(clusterId), legacyTag] };
    const { list } = await this.#describe({ Filters: [filter], MaxResults: pageSizeMin }, signal);
    return requireList(describeInstances, list);
  }

  /** Fails as a whole if one of them does not exist. */
  async getByIds(ids: readonly string[], signal: AbortSignal): Promise<readonly Instance[]> {
    const { list } = await this.#describe({ InstanceIds: [...ids] }, signal);
    return requireList(describeInstances, list);
  }

  /** The ids of all zones of the region, by the zones' names. */
  async zoneIds(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const action = 'DescribeAvailabilityZones';
    const zones = requireList(action, await this.#ec2.call(action, {}, { signal }));
    return new Map(
      zones.flatMap(({ ZoneName, ZoneId }): [string, string][] =>
        ZoneName && ZoneId ? [[ZoneName, ZoneId]] : [],
      ),
    );
  }

  /** The network nodes above each of these instances, from the top down; none where it has no topology. */
  async networkLayers(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const action = 'DescribeInstanceTopology';
    const shown = await readPages(action, (next) =>
      this.#ec2.call(action, { InstanceIds: [...ids], ...next }, { signal }),
    );
    return new Map(
      shown.map(({ InstanceId = '', NetworkNodes = [] }) => [InstanceId, NetworkNodes]),
    );
  }

  /** The cheapest question that is refused where look-ups would be. */
  async checkAccess(signal: AbortSignal): Promise<void> {
    const { list } = await this.#describe({ MaxResults: pageSizeMin }, signal);
    requireList(describeInstances, list);
  }

  #describe(input: DescribeInstancesRequest, signal: AbortSignal): Promise<Page<Instance>> {
    return this.#ec2.call(describeInstances, input, { signal });
  }
}

const describeInstances = 'DescribeInstances';
