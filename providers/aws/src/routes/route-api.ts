/** All EC2 calls about route tables. The IAM policy for routes lists exactly these. */
import type { Filter } from '@aws-sdk/client-ec2';
import type { EC2CallOptions, EC2 } from '../ec2.ts';
import { readPages } from '../pages.ts';
import type { RouteTable } from '../sdk/actions.ts';
import { familyOf } from './table-limits.ts';

/** EC2 allows 100. With 1,000 routes each, so many would take hundreds of megabytes to parse. */
const pageSize = 25;

export type WriteOptions = Required<EC2CallOptions>;

export interface RouteAddress {
  readonly table: string;
  readonly destination: string;
}

export class RouteApi {
  readonly #ec2: EC2;
  readonly #mode: { readonly DryRun?: true };

  /** `DryRun`: EC2 says whether it allows a change, and does not make it. */
  constructor(ec2: EC2, mode: { readonly DryRun?: true } = {}) {
    this.#ec2 = ec2;
    this.#mode = mode;
  }

  async findTables(filter: Filter, signal: AbortSignal): Promise<readonly RouteTable[]> {
    const action = 'DescribeRouteTables';
    const input = { Filters: [filter], MaxResults: pageSize };
    const tables = await readPages(action, (next) =>
      this.#ec2.call(action, { ...input, ...next }, { signal }),
    );
    return tables.map(withoutPropagated);
  }

  async create(route: RouteAddress, interfaceId: string, write: WriteOptions): Promise<void> {
    const input = { ...this.#mode, ...inputOf(route), NetworkInterfaceId: interfaceId };
    await this.#ec2.call('CreateRoute', input, write);
  }

  async replace(route: RouteAddress, interfaceId: string, write: WriteOptions): Promise<void> {
    const input = { ...this.#mode, ...inputOf(route), NetworkInterfaceId: interfaceId };
    await this.#ec2.call('ReplaceRoute', input, write);
  }

  async remove(route: RouteAddress, write: WriteOptions): Promise<void> {
    await this.#ec2.call('DeleteRoute', { ...this.#mode, ...inputOf(route) }, write);
  }

  /** Turns off the source/destination check. */
  async letForward(interfaceId: string, write: WriteOptions): Promise<void> {
    const attribute = { NetworkInterfaceId: interfaceId, SourceDestCheck: { Value: false } };
    await this.#ec2.call('ModifyNetworkInterfaceAttribute', { ...this.#mode, ...attribute }, write);
  }
}

/** EC2 lists these beside a static route to the same destination, which goes before them, and counts them apart. */
function withoutPropagated({ Routes = [], ...table }: RouteTable): RouteTable {
  return { ...table, Routes: Routes.filter(({ Origin = '' }) => !propagatedOrigins.has(Origin)) };
}

const propagatedOrigins: ReadonlySet<string> = new Set([
  'EnableVgwRoutePropagation',
  'Advertisement',
]);

function inputOf({ table, destination }: RouteAddress): {
  RouteTableId: string;
  DestinationCidrBlock?: string;
  DestinationIpv6CidrBlock?: string;
} {
  return familyOf(destination) === 'IPv6'
    ? { RouteTableId: table, DestinationIpv6CidrBlock: destination }
    : { RouteTableId: table, DestinationCidrBlock: destination };
}
