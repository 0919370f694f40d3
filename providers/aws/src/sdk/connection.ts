/** Sends calls to EC2 with the SDK, in the thread that it is called from. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  CreateRouteCommand,
  DeleteRouteCommand,
  DescribeAvailabilityZonesCommand,
  DescribeInstancesCommand,
  DescribeInstanceTopologyCommand,
  DescribeRouteTablesCommand,
  type EC2Client,
  type Instance as SDKInstance,
  type InstanceNetworkInterface,
  ModifyNetworkInterfaceAttributeCommand,
  ReplaceRouteCommand,
} from '@aws-sdk/client-ec2';
import type { Clock } from '@tandem/runtime';
import { namesCluster } from '../cluster.ts';
import type { Action, Input, Instance, NetworkInterface, Output } from './actions.ts';
import { type ClientOptions, createClient, noteDates, requireXmlOfWrites } from './ec2-client.ts';
import { refusalOf } from './refusal.ts';

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Asked right before the request is sent; false where the signal aborts too late to tell. */
  readonly isWanted?: () => boolean;
}

export interface EC2Connection {
  /** Makes one attempt. Rejects with an `EC2Refusal`, or with the signal's reason. */
  call<A extends Action>(action: A, input: Input<A>, options: CallOptions): Promise<Output<A>>;
  /** Reads the credentials again, which the SDK keeps until they expire. */
  renewCredentials(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Called with the `Date` header of every answer, and the time that the answer took. */
export type OnDate = (date: string, tookMs: number) => void;

export function connect(options: ClientOptions, clock: Clock, onDate: OnDate): EC2Connection {
  const client = createClient(options, clock);
  noteDates(client, clock, onDate);
  requireXmlOfWrites(client);
  const isWantedNow = new AsyncLocalStorage<() => boolean>();
  sendWhile(client, () => isWantedNow.getStore()?.() ?? true);
  return {
    async call(action, input, { signal, isWanted = () => true }) {
      try {
        const send = () => senders[action](client, input, { abortSignal: signal });
        return await isWantedNow.run(isWanted, send);
      } catch (err) {
        signal.throwIfAborted();
        throw refusalOf(err);
      }
    },
    async renewCredentials() {
      await client.config.credentials({ forceRefresh: true });
    },
    async close() {
      client.destroy();
    },
  };
}

/** Sends nothing that is no longer wanted: credentials may take their time. */
function sendWhile(client: EC2Client, isWanted: () => boolean): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      if (isWanted()) return next(request);
      throw new Error('The caller no longer waits');
    },
    // Next to the socket.
    { step: 'deserialize', priority: 'low', name: 'sendWhile' },
  );
}

type Sender<A extends Action> = (
  client: EC2Client,
  input: Input<A>,
  options: { readonly abortSignal: AbortSignal },
) => Promise<Output<A>>;

const senders: { readonly [A in Action]: Sender<A> } = {
  async DescribeInstances(client, input, options) {
    const answer = await client.send(new DescribeInstancesCommand(input), options);
    const instances = answer.Reservations?.flatMap(({ Instances = [] }) => Instances);
    return { list: instances?.map(usedPartOf), nextToken: answer.NextToken };
  },
  async DescribeAvailabilityZones(client, input, options) {
    const answer = await client.send(new DescribeAvailabilityZonesCommand(input), options);
    return answer.AvailabilityZones;
  },
  async DescribeInstanceTopology(client, input, options) {
    const answer = await client.send(new DescribeInstanceTopologyCommand(input), options);
    return { list: answer.Instances, nextToken: answer.NextToken };
  },
  async DescribeRouteTables(client, input, options) {
    const answer = await client.send(new DescribeRouteTablesCommand(input), options);
    const list = answer.RouteTables?.map(({ RouteTableId, Routes, Tags }) => ({
      RouteTableId,
      Routes,
      Tags,
    }));
    return { list, nextToken: answer.NextToken };
  },
  async CreateRoute(client, input, options) {
    await unlessDryRun(client.send(new CreateRouteCommand(input), options));
  },
  async ReplaceRoute(client, input, options) {
    await unlessDryRun(client.send(new ReplaceRouteCommand(input), options));
  },
  async DeleteRoute(client, input, options) {
    await unlessDryRun(client.send(new DeleteRouteCommand(input), options));
  },
  async ModifyNetworkInterfaceAttribute(client, input, options) {
    await unlessDryRun(client.send(new ModifyNetworkInterfaceAttributeCommand(input), options));
  },
};

/** EC2 answers a dry run that it allows with an error of this code. */
async function unlessDryRun(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (err) {
    if (refusalOf(err).ec2Code !== 'DryRunOperation') throw err;
  }
}

function usedPartOf(instance: SDKInstance): Instance {
  const { InstanceId, InstanceType, Placement, State, Tags } = instance;
  const { PrivateDnsName, PublicDnsName, PublicIpAddress, NetworkInterfaces } = instance;
  return {
    InstanceId,
    InstanceType,
    Placement: Placement && { AvailabilityZone: Placement.AvailabilityZone },
    State: State && { Name: State.Name },
    Tags: Tags?.filter(({ Key = '' }) => namesCluster(Key)),
    PrivateDnsName,
    PublicDnsName,
    PublicIpAddress,
    NetworkInterfaces: NetworkInterfaces?.map(usedPartOfInterface),
  };
}

function usedPartOfInterface(one: InstanceNetworkInterface): NetworkInterface {
  const { NetworkInterfaceId, Status, SourceDestCheck, Attachment } = one;
  const { PrivateIpAddresses, Ipv6Addresses, Ipv4Prefixes, Ipv6Prefixes } = one;
  return {
    NetworkInterfaceId,
    Status,
    SourceDestCheck,
    Attachment: Attachment && {
      DeviceIndex: Attachment.DeviceIndex,
      NetworkCardIndex: Attachment.NetworkCardIndex,
    },
    PrivateIpAddresses: PrivateIpAddresses?.map(({ PrivateIpAddress, Primary }) => ({
      PrivateIpAddress,
      Primary,
    })),
    Ipv6Addresses,
    Ipv4Prefixes,
    Ipv6Prefixes,
  };
}
