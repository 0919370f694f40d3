/**
 * Reads the addresses of a network interface: the address of its primary configuration, which Azure requires to be
 * IPv4, and the address of a configuration of the other family. With Azure CNI, an interface also has a configuration
 * for every pod, and with block allocation it has configurations whose value is a CIDR. Neither kind is an address of
 * the node.
 */
import type {
  NetworkInterface,
  NetworkInterfaceIPConfiguration,
  PublicIPAddress,
} from '@azure/arm-network';
import { type Family, formatCidr, networkOf, parseAddress, parseCidr } from '@tandem/core/ip';
import type { PodBlocks } from '@tandem/provider/plug';
import { idKeyOf } from './resource-id.ts';

export interface InterfaceFacts {
  readonly key: string;
  /** The addresses, IPv4 before IPv6. Empty if no configuration is primary or the primary one has no address. */
  readonly addresses: readonly string[];
  /** The ids of the public addresses of the same configurations, in the same order. */
  readonly publicIds: readonly string[];
  /** The CIDRs that Azure delivers to the interface. */
  readonly podBlocks: PodBlocks;
  /** Whether the interface forwards packets of pods. Without forwarding, routes have no effect. */
  readonly isForwarding: boolean;
}

export interface PublicAddressFacts {
  readonly key: string;
  /** Undefined until Azure has allocated an address. */
  readonly address: string | undefined;
}

type Configuration = NetworkInterfaceIPConfiguration;

/** Returns undefined if the interface has no id. */
export function interfaceOf(one: NetworkInterface): InterfaceFacts | undefined {
  if (one.id === undefined) return undefined;
  const configurations = one.ipConfigurations ?? [];
  const chosen = chosenOf(configurations);
  return {
    key: idKeyOf(one.id),
    addresses: chosen.map(({ address }) => address),
    publicIds: chosen.flatMap(({ configuration }) => configuration.publicIPAddress?.id ?? []),
    podBlocks: { IPv4: blocksOf(configurations, 'IPv4'), IPv6: blocksOf(configurations, 'IPv6') },
    isForwarding: one.enableIPForwarding === true,
  };
}

export function publicAddressOf({
  id,
  ipAddress,
}: PublicIPAddress): PublicAddressFacts | undefined {
  return id === undefined ? undefined : { key: idKeyOf(id), address: ipAddress || undefined };
}

interface Chosen {
  readonly configuration: Configuration;
  readonly address: string;
  readonly family: Family;
}

function chosenOf(configurations: readonly Configuration[]): readonly Chosen[] {
  const marked =
    configurations.length === 1
      ? configurations[0]
      : configurations.find(({ primary }) => primary === true);
  const first = marked === undefined ? undefined : asNodeAddress(marked);
  if (first === undefined) return [];
  const subnet = subnetOf(first.configuration);
  const others = configurations
    .flatMap((one) => asNodeAddress(one) ?? [])
    .filter(({ family }) => family !== first.family);
  // Prefer the subnet of the first address, because pods may have their own subnet.
  const second = others.find((one) => subnetOf(one.configuration) === subnet) ?? others[0];
  const chosen = second === undefined ? [first] : [first, second];
  return chosen.toSorted((a, b) => a.family.localeCompare(b.family));
}

/** Returns undefined if the configuration has no address or holds a block of addresses. */
function asNodeAddress(configuration: Configuration): Chosen | undefined {
  const { privateIPAddress: address = '' } = configuration;
  const family = parseAddress(address)?.family;
  if (family === undefined || blockOf(configuration) !== undefined) return undefined;
  return { configuration, address, family };
}

function blocksOf(configurations: readonly Configuration[], family: Family): readonly string[] {
  return configurations
    .flatMap((one) => blockOf(one) ?? [])
    .filter((block) => block.includes(':') === (family === 'IPv6'))
    .toSorted((a, b) => a.localeCompare(b));
}

/** Returns the block of a configuration, such as `10.1.0.16/28`. Azure puts it into one field or into two. */
function blockOf({
  privateIPAddress = '',
  privateIPAddressPrefixLength: length,
}: Configuration): string | undefined {
  const [text = '', ownLength] = privateIPAddress.split('/');
  const address = parseAddress(text);
  const prefixLength = ownLength === undefined ? length : Number(ownLength);
  if (address === undefined || prefixLength === undefined) return undefined;
  if (prefixLength >= (address.family === 'IPv4' ? 32 : 128)) return undefined;
  const parsed = parseCidr(`${text}/${prefixLength}`);
  return formatCidr(parsed.kind === 'cidr' ? parsed.cidr : networkOf(address, prefixLength));
}

function subnetOf({ subnet }: Configuration): string {
  return idKeyOf(subnet?.id ?? '');
}
