/**
 * What the fake of Azure Resource Manager knows: machines with their interfaces and public addresses,
 * scale sets and route tables. It is immutable, so that a state from before can be kept and shown
 * later. Ids are compared without regard to case, as ARM does: maps are keyed by the id in lower case.
 */
export interface ArmState {
  /** In lower case. */
  readonly subscriptions: ReadonlySet<string>;
  /** By id, in lower case. */
  readonly resourceGroups: ReadonlySet<string>;
  /** Standalone machines and those of Flexible scale sets. */
  readonly machines: ReadonlyMap<string, FakeMachine>;
  readonly scaleSets: ReadonlyMap<string, FakeScaleSet>;
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** Goes up with every change of a table: ETags are made of it. */
  readonly revision: number;
}

export type Tags = Readonly<Record<string, string>>;

export type PowerState =
  | 'starting'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'deallocating'
  | 'deallocated'
  /** The instance view has no status for it. */
  | undefined;

export type ProvisioningState = 'Creating' | 'Updating' | 'Succeeded' | 'Failed' | 'Deleting';

/** What machines and instances of Uniform scale sets have in common. */
export interface FakeComputer {
  readonly computerName: string;
  readonly size: string;
  readonly location: string;
  readonly zones: readonly string[];
  /** Only shown with the instance view. */
  readonly faultDomain: number | undefined;
  readonly power: PowerState;
  readonly provisioning: ProvisioningState;
  readonly tags: Tags;
  readonly interfaces: readonly FakeInterface[];
}

export interface FakeMachine extends FakeComputer {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
  /** The id of its Flexible scale set. */
  readonly scaleSet: string | undefined;
}

export interface FakeScaleSet {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
  readonly mode: 'Uniform' | 'Flexible';
  readonly size: string;
  readonly location: string;
  readonly zones: readonly string[];
  readonly computerNamePrefix: string;
  /** None in a Flexible one: its machines are machines. */
  readonly instances: readonly FakeInstance[];
}

export interface FakeInstance extends FakeComputer {
  readonly instanceId: string;
}

export interface FakeInterface {
  readonly name: string;
  /** Of a machine's interface, where it lies in another one than the machine. */
  readonly resourceGroup?: string;
  readonly primary: boolean;
  readonly forwarding: boolean;
  readonly configurations: readonly FakeConfiguration[];
}

export interface FakeConfiguration {
  readonly name: string;
  readonly primary: boolean;
  readonly version: 'IPv4' | 'IPv6';
  /** An address, or a block in CIDR notation where a network plugin allocates blocks. */
  readonly address: string;
  readonly publicAddress?: FakePublicAddress;
}

export interface FakePublicAddress {
  readonly name: string;
  /** Of a machine's address, where it lies in another one than the machine. */
  readonly resourceGroup?: string;
  /** Undefined while Azure has not allocated it. */
  readonly address: string | undefined;
}

export interface FakeTable {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly name: string;
  readonly location: string;
  readonly tags: Tags;
  readonly disableBgpRoutePropagation: boolean;
  readonly disablePeeringRoute: string | undefined;
  readonly routes: readonly FakeRoute[];
  readonly routesMax: number;
  readonly provisioning: ProvisioningState;
}

export type NextHopType =
  | 'VirtualNetworkGateway'
  | 'VnetLocal'
  | 'Internet'
  | 'VirtualAppliance'
  | 'None';

export interface FakeRoute {
  readonly name: string;
  /** A CIDR, or the name of a service tag. */
  readonly destination: string;
  readonly nextHopType: NextHopType;
  /** Of a virtual appliance. */
  readonly nextHop: string | undefined;
}

/** A table as it is kept, with its ETag. */
export interface StoredTable extends FakeTable {
  readonly etag: string;
}
