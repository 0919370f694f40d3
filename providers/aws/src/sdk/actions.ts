/**
 * The calls that Tandem makes to EC2, and what it reads of their answers. Inputs and outputs are plain data, because
 * they travel between threads.
 */
import type {
  AvailabilityZone,
  CreateRouteRequest,
  DeleteRouteRequest,
  DescribeAvailabilityZonesRequest,
  DescribeInstancesRequest,
  DescribeInstanceTopologyRequest,
  DescribeRouteTablesRequest,
  Instance as SDKInstance,
  InstanceNetworkInterface,
  InstanceNetworkInterfaceAttachment as SDKAttachment,
  InstancePrivateIpAddress,
  InstanceState,
  InstanceTopology,
  ModifyNetworkInterfaceAttributeRequest,
  Placement,
  ReplaceRouteRequest,
  RouteTable as SDKRouteTable,
  Tag,
} from '@aws-sdk/client-ec2';

/** An instance without what Tandem does not use of it, which is most of its size. */
export type Instance = Pick<
  SDKInstance,
  'InstanceId' | 'InstanceType' | 'PrivateDnsName' | 'PublicDnsName' | 'PublicIpAddress'
> & {
  readonly Placement?: Pick<Placement, 'AvailabilityZone'> | undefined;
  readonly State?: Pick<InstanceState, 'Name'> | undefined;
  /** Only those that name a cluster. */
  readonly Tags?: readonly Tag[] | undefined;
  readonly NetworkInterfaces?: readonly NetworkInterface[] | undefined;
};

export type NetworkInterface = Pick<
  InstanceNetworkInterface,
  | 'NetworkInterfaceId'
  | 'Status'
  | 'SourceDestCheck'
  | 'Ipv6Addresses'
  | 'Ipv4Prefixes'
  | 'Ipv6Prefixes'
> & {
  readonly Attachment?: Pick<SDKAttachment, 'DeviceIndex' | 'NetworkCardIndex'> | undefined;
  readonly PrivateIpAddresses?:
    | readonly Pick<InstancePrivateIpAddress, 'PrivateIpAddress' | 'Primary'>[]
    | undefined;
};

export type RouteTable = Pick<SDKRouteTable, 'RouteTableId' | 'Routes' | 'Tags'>;

/** A list is undefined if the answer is not EC2's. */
type List<T> = readonly T[] | undefined;

/** Each action's name in IAM policies, its input and what is read of its answer. */
export interface Actions {
  DescribeInstances(input: DescribeInstancesRequest): Page<Instance>;
  DescribeAvailabilityZones(input: DescribeAvailabilityZonesRequest): List<AvailabilityZone>;
  DescribeInstanceTopology(input: DescribeInstanceTopologyRequest): Page<InstanceTopology>;
  DescribeRouteTables(input: DescribeRouteTablesRequest): Page<RouteTable>;
  CreateRoute(input: CreateRouteRequest): void;
  ReplaceRoute(input: ReplaceRouteRequest): void;
  DeleteRoute(input: DeleteRouteRequest): void;
  ModifyNetworkInterfaceAttribute(input: ModifyNetworkInterfaceAttributeRequest): void;
}

export interface Page<T> {
  readonly list: List<T>;
  readonly nextToken: string | undefined;
}

export type Action = keyof Actions;
export type Input<A extends Action> = Parameters<Actions[A]>[0];
export type Output<A extends Action> = ReturnType<Actions[A]>;
