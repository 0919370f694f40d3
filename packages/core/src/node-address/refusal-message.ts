/**
 * What a refused request says to the person who reads the event at night: what was asked, what the
 * cloud has, and what to do. One line, safe to print, that repeats at most 128 characters of what came
 * in (see `wording.ts`): an address is named once, and the rest goes to the cloud's list.
 */
import {
  type Family,
  formatAddress,
  type IpAddress,
  isSameAddress,
  type SpecialUse,
  specialUseOf,
} from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';
import type { ExcludedAddress, Sieved } from './exclusion.ts';
import { formatRequest, type Request } from './request.ts';
import { nodeIPsOf, stackAskedBy, stackOf } from './stack.ts';
import { cloudEchoMax, enumerate, printable } from './wording.ts';

export const noAddressListed =
  'the cloud lists no address for this instance: give it one; the node is left as it is until then';

export function allExcluded(excluded: readonly ExcludedAddress[]): string {
  const what = excluded.length === 1 ? 'the only address' : `all ${excluded.length} addresses`;
  const [first] = excluded;
  const example =
    first === undefined ? '' : ` (${printable(first.address, addressMax)}: ${reasonOf(first)})`;
  return `${what} that the cloud lists for this instance must not be a node IP${example}: give it another, or lift the exclusion`;
}

export function noneOfFamily(family: Family, { usable, excluded }: Sieved): string {
  const other: Family = family === 'IPv4' ? 'IPv6' : 'IPv4';
  const ofFamily = usable.filter((entry) => isNodeIP(entry) && entry.ip?.family === family);
  const uses = new Set(ofFamily.map(useOf).filter((use) => use !== undefined));
  const kept = excluded.find((entry) => isNodeIP(entry) && entry.ip?.family === family);
  const asides = [
    uses.size === 0 ? '' : ` (${[...uses].join(' and ')} addresses do not count)`,
    kept === undefined ? '' : ` (excluded: ${printable(kept.reason, asideMax)})`,
  ];
  const hasOther = usable.some(
    (entry) => isNodeIP(entry) && entry.ip?.family === other && useOf(entry) === undefined,
  );
  const advice = [
    `add ${family} to the instance`,
    ...(kept === undefined ? [] : ['lift the exclusion']),
    ...(hasOther ? [`ask for ${other}`] : []),
  ];
  return `asked for an ${family} address, ${describeCloud(usable)}${asides.join('')}: ${advice.join(' or ')}`;
}

export function notFound(asked: IpAddress, { usable, excluded }: Sieved): string {
  const text = formatAddress(asked);
  if (specialUseOf(asked) === 'unspecified') {
    return `asked for ${text}, which is no machine's address: ask for ${asked.family} to have one of that family picked, or remove the request`;
  }
  const kept = excluded.find(({ ip }) => ip !== undefined && isSameAddress(ip, asked));
  if (kept !== undefined) {
    return `asked for ${text}, which must not be a node IP (${reasonOf(kept)}): ask for another address, or lift the exclusion`;
  }
  const hasAny = usable.some(isNodeIP);
  const advice = hasAny
    ? 'ask for an address that it reports, or give the instance this one'
    : 'give the instance this address';
  return `asked for ${text}, ${describeCloud(usable)}: ${advice}`;
}

/** The addresses are there, but consumers would make other node IPs of them. */
export function otherStack(request: Request, addresses: readonly CloudAddress[]): string {
  const nodeIPs = nodeIPsOf(addresses);
  const stack = stackOf(addresses);
  const isSameStack = stack === stackAskedBy(request);
  const [primary] = nodeIPs;
  const outcome =
    isSameStack && primary !== undefined
      ? `consumers would take ${printable(primary.address, addressMax)} instead`
      : `the node would be ${stack ?? 'without a node IP'}`;
  return `asked for ${formatRequest(request)} (${stackAskedBy(request)}), but ${outcome}, because node IPs are InternalIPs before ExternalIPs and never Hostnames: give the instance what is asked for as InternalIPs, or ask for what it has`;
}

/** `the cloud reports only 1.2.3.4 and 5.6.7.8 (InternalIP)`, of InternalIPs and ExternalIPs. */
function describeCloud(entries: readonly CloudAddress[]): string {
  const internal = textsOf(entries, 'InternalIP');
  const external = textsOf(entries, 'ExternalIP');
  if (internal.length === 0 && external.length === 0) return 'the cloud reports no IP address';
  if (external.length === 0) return `the cloud reports only ${enumerate(internal)} (InternalIP)`;
  if (internal.length === 0) return `the cloud reports only ${enumerate(external)} (ExternalIP)`;
  const share = Math.floor(cloudEchoMax / 2);
  return `the cloud reports only ${enumerate(internal, share)} (InternalIP), ${enumerate(external, share)} (ExternalIP)`;
}

function textsOf(entries: readonly CloudAddress[], type: string): string[] {
  const texts: string[] = [];
  for (const entry of entries) {
    if (entry.type === type && entry.ip !== undefined) texts.push(entry.address);
  }
  return texts;
}

/** Whether consumers could take the entry for a node IP. */
function isNodeIP({ type, ip }: CloudAddress): boolean {
  return ip !== undefined && (type === 'InternalIP' || type === 'ExternalIP');
}

function useOf({ ip }: CloudAddress): SpecialUse | undefined {
  return ip && specialUseOf(ip);
}

function reasonOf({ reason }: ExcludedAddress): string {
  return printable(reason, 64);
}

/** The longest canonical text of an address. */
const addressMax = 39;
/** What is left beside the cloud's list. */
const asideMax = 40;
