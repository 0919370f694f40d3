/** The calls about instances and zones, and no others: the IAM policy for look-ups is made of these. */
import type { DescribeInstancesRequest, Filter } from '@aws-sdk/client-ec2';
import type { EC2 } from './ec2.ts';
import { AWSError, requireList } from './failure.ts';
import { isTerminated } from './instance.ts';
import type { Instance } from './sdk/actions.ts';

/** EC2 takes no more values in the filters of one call. */
export const filterValuesMax = 200;

/** One page for each filter. */
const pageSize = filterValuesMax;

/** EC2 gives no smaller pages. */
const pageSizeMin = 5;

/** No chunk of ids or names has more pages than this, however short EC2 makes them. */
const pagesMax = 100;

export class InstanceApi {
  readonly #ec2: EC2;
  #shownId: string | undefined;

  constructor(ec2: EC2) {
    this.#ec2 = ec2;
  }

  /** The id of an instance that a filter found lately. Undefined before the first. */
  get shownId(): string | undefined {
    return this.#shownId;
  }

  /** What does not exist is left out. */
  async findByFilter(filter: Filter, signal: AbortSignal): Promise<readonly Instance[]> {
    const instances: Instance[] = [];
    let token: string | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const input = { Filters: [filter], MaxResults: pageSize, ...(token && { NextToken: token }) };
      const read = await this.#describe(input, signal);
      instances.push(...read.instances);
      token = read.nextToken;
      if (!token) {
        this.#shownId = instances.find((one) => !isTerminated(one))?.InstanceId ?? this.#shownId;
        return instances;
      }
    }
    throw new AWSError('EC2CallFailed', `DescribeInstances of EC2 has over ${pagesMax} pages`);
  }

  /** Fails as a whole if one of them does not exist. */
  async getByIds(ids: readonly string[], signal: AbortSignal): Promise<readonly Instance[]> {
    return (await this.#describe({ InstanceIds: [...ids] }, signal)).instances;
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
    const answer = await this.#ec2.call(action, { InstanceIds: [...ids] }, { signal });
    return new Map(
      requireList(action, answer).map(({ InstanceId = '', NetworkNodes = [] }) => [
        InstanceId,
        NetworkNodes,
      ]),
    );
  }

  /** The cheapest question that is refused where look-ups would be. */
  async checkAccess(signal: AbortSignal): Promise<void> {
    await this.#describe({ MaxResults: pageSizeMin }, signal);
  }

  async #describe(
    input: DescribeInstancesRequest,
    signal: AbortSignal,
  ): Promise<{ readonly instances: readonly Instance[]; readonly nextToken: string | undefined }> {
    const action = 'DescribeInstances';
    const { list, nextToken } = await this.#ec2.call(action, input, { signal });
    return { instances: requireList(action, list), nextToken };
  }
}
