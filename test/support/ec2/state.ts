/**
 * What the fake of EC2 knows: instances with their network interfaces, zones and route tables. It is
 * immutable, so that a state from before can be kept and shown later: that is how the fake is
 * eventually consistent.
 */
export interface EC2State {
  readonly region: string;
  /** Zone ids by zone name. */
  readonly zones: ReadonlyMap<string, string>;
  readonly instances: ReadonlyMap<string, FakeInstance>;
  readonly tables: ReadonlyMap<string, FakeTable>;
}

export type Tags = Readonly<Record<string, string>>;

export type FakeInstanceState =
  | 'pending'
  | 'running'
  | 'shutting-down'
  | 'terminated'
  | 'stopping'
  | 'stopped';

export interface FakeInstance {
  readonly id: string;
  readonly state: FakeInstanceState;
  readonly type: string;
  readonly zone: string;
  /** Empty where the VPC gives none. */
  readonly privateDnsName: string;
  readonly publicDnsName: string;
  readonly publicIp: string | undefined;
  readonly tags: Tags;
  /** From the top of the network down; none for most types. */
  readonly networkNodes: readonly string[];
  readonly interfaces: readonly FakeInterface[];
}

export interface FakeInterface {
  readonly id: string;
  readonly networkCard: number;
  readonly device: number;
  readonly status: 'in-use' | 'attaching' | 'detaching';
  readonly sourceDestCheck: boolean;
  /** The first is the primary one. */
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
  readonly primaryIpv6: string | undefined;
  readonly ipv4Prefixes: readonly string[];
  readonly ipv6Prefixes: readonly string[];
}

export interface FakeTable {
  readonly id: string;
  readonly tags: Tags;
  /** Routes that it takes in each family. */
  readonly routesMax: number;
  readonly routes: readonly FakeRoute[];
}

export interface FakeRoute {
  /** As EC2 spells it: canonical, whatever was given. Or the id of a prefix list. */
  readonly destination: string;
  /** An interface, or a gateway that no one here manages. */
  readonly target: { readonly interfaceId: string } | { readonly gatewayId: string };
  /** What announces it. EC2 lists it beside a static route to the same destination. */
  readonly propagation?: 'EnableVgwRoutePropagation' | 'Advertisement';
  /** Whether the gateway is gone. */
  readonly isBlackhole?: boolean;
  /** The instance that EC2 still names, although it is gone. */
  readonly goneInstanceId?: string;
}

export function emptyState(region: string): EC2State {
  const zones = ['a', 'b', 'c'].map((letter, index): [string, string] => [
    `${region}${letter}`,
    `${region.slice(0, 2)}w1-az${index + 1}`,
  ]);
  return { region, zones: new Map(zones), instances: new Map(), tables: new Map() };
}

export function withInstance(state: EC2State, instance: FakeInstance): EC2State {
  return { ...state, instances: new Map(state.instances).set(instance.id, instance) };
}

export function withTable(state: EC2State, table: FakeTable): EC2State {
  return { ...state, tables: new Map(state.tables).set(table.id, table) };
}

/** The instance that an interface is attached to; a terminated one has none. */
export function ownerOf(state: EC2State, interfaceId: string): FakeInstance | undefined {
  return [...state.instances.values()].find(
    (instance) =>
      instance.state !== 'terminated' && instance.interfaces.some(({ id }) => id === interfaceId),
  );
}
