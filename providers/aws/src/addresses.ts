/**
 * Lists the addresses of an instance: the same addresses as upstream's manager, in an order that depends only on the
 * instance, because EC2 promises no order. Families come in the order of the configuration, interfaces by network card
 * and device index. The list has all IPv6 addresses, because a kubelet may ask for any of them (upstream's manager lists
 * only the first of each interface).
 */
import { compareAddresses, type Family, parseAddress } from '@tandem/core/ip';
import type { NodeAddress } from '@tandem/core/node-address';
import type { PodBlocks } from '@tandem/provider/plug';
import type { Instance, NetworkInterface } from './sdk/actions.ts';

export function addressesOf(instance: Instance, families: readonly Family[]): NodeAddress[] {
  const interfaces = interfacesOf(instance);
  // EC2 has not shown all of the instance. Its names and public address alone would replace a node's addresses (P3).
  if (interfaces.length === 0) return [];
  return families.flatMap((family) =>
    family === 'IPv4'
      ? [...interfaces.flatMap(ipv4Of).map(internal), ...publicAddressAndNamesOf(instance)]
      : interfaces.flatMap(ipv6Of).map(internal),
  );
}

/** The prefixes of the first interface. EC2 routes them to the instance, so they are blocks for its pods. */
export function podBlocksOf(instance: Instance): PodBlocks {
  const first = interfacesOf(instance).find(isFirstInterface);
  return {
    IPv4: texts(first?.Ipv4Prefixes?.map(({ Ipv4Prefix }) => Ipv4Prefix)).toSorted(byValue),
    IPv6: texts(first?.Ipv6Prefixes?.map(({ Ipv6Prefix }) => Ipv6Prefix)).toSorted(byValue),
  };
}

export function isFirstInterface({ Attachment }: NetworkInterface): boolean {
  return Attachment?.DeviceIndex === 0 && (Attachment.NetworkCardIndex ?? 0) === 0;
}

/** The attached interfaces, in order. An interface that EC2 is still attaching carries no traffic yet. */
export function interfacesOf({ NetworkInterfaces = [] }: Instance): NetworkInterface[] {
  return NetworkInterfaces.filter(({ Status }) => Status === 'in-use').toSorted(
    (a, b) =>
      (a.Attachment?.NetworkCardIndex ?? 0) - (b.Attachment?.NetworkCardIndex ?? 0) ||
      (a.Attachment?.DeviceIndex ?? unattached) - (b.Attachment?.DeviceIndex ?? unattached) ||
      (a.NetworkInterfaceId ?? '').localeCompare(b.NetworkInterfaceId ?? ''),
  );
}

/** An interface without an index sorts behind every real device. */
const unattached = Number.MAX_SAFE_INTEGER;

function ipv4Of({ PrivateIpAddresses = [] }: NetworkInterface): string[] {
  return primaryFirst(
    PrivateIpAddresses.map(({ PrivateIpAddress, Primary }) => [PrivateIpAddress, Primary]),
  );
}

function ipv6Of({ Ipv6Addresses = [] }: NetworkInterface): string[] {
  return primaryFirst(
    Ipv6Addresses.map(({ Ipv6Address, IsPrimaryIpv6 }) => [Ipv6Address, IsPrimaryIpv6]),
  );
}

/** Puts the primary address first and sorts the others by value. */
function primaryFirst(
  list: readonly (readonly [address: string | undefined, isPrimary: boolean | undefined])[],
): string[] {
  const textsOf = (wanted: boolean): string[] =>
    texts(list.map(([address, isPrimary = false]) => (isPrimary === wanted ? address : undefined)));
  return [...textsOf(true).toSorted(byValue), ...textsOf(false).toSorted(byValue)];
}

/** EC2 sends an empty name if the VPC assigns none. */
function publicAddressAndNamesOf({
  PublicIpAddress,
  PrivateDnsName,
  PublicDnsName,
}: Instance): NodeAddress[] {
  const addresses: { type: string; address: string | undefined }[] = [
    { type: 'ExternalIP', address: PublicIpAddress },
    { type: 'InternalDNS', address: PrivateDnsName },
    { type: 'Hostname', address: PrivateDnsName },
    { type: 'ExternalDNS', address: PublicDnsName },
  ];
  return addresses.flatMap(({ type, address }) => (address ? [{ type, address }] : []));
}

function internal(address: string): NodeAddress {
  return { type: 'InternalIP', address };
}

function texts(list: readonly (string | undefined)[] = []): string[] {
  return list.filter((text) => text !== undefined);
}

/** Compares addresses, and CIDRs by their network. The plug refuses texts that are neither. */
function byValue(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => parseAddress(text.split('/')[0] ?? ''));
  return left && right ? compareAddresses(left, right) : a.localeCompare(b);
}
