/**
 * The messages of refused requests, in whole sentences: what was requested, what the cloud has, and
 * what to do. One printable line that repeats at most 128 characters of the input (see
 * `wording.ts`): the request once, and as much of the cloud's list as fits. Excluded addresses are
 * named with what excludes them, and the advice takes them into account.
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
import { addressesMax, areExcluded, reasonsOf, whichAreExcluded } from './excluded-words.ts';
import type { ExcludedAddress, Sieved } from './exclusion.ts';
import { formatRequest, type Request } from './request.ts';
import { nodeIPsOf, stackAskedBy, stackOf } from './stack.ts';
import { cloudEchoMax, echoMax, enumerate, printable } from './wording.ts';

export const noAddressListed =
  'The cloud lists no address for this instance. Add an address to the instance.';

export function allExcluded(excluded: readonly ExcludedAddress[]): string {
  const advice = ['Give the instance another address', ...changing(excluded)];
  return `The cloud reports only ${whichAreExcluded(excluded)}. ${choiceOf(advice)}.`;
}

export function noneOfFamily(request: Request, family: Family, sieved: Sieved): string {
  const { usable, excluded } = sieved;
  const other: Family = family === 'IPv4' ? 'IPv6' : 'IPv4';
  const ofFamily = usable.filter((entry) => isNodeIP(entry) && entry.ip?.family === family);
  const uses = new Set(ofFamily.map(useOf).filter((use) => use !== undefined));
  const aside = uses.size === 0 ? '' : ` Node IPs cannot be ${[...uses].join(' or ')} addresses.`;
  const kept = excluded.filter((entry) => isNodeIP(entry) && entry.ip?.family === family);
  const hasOther = usable.some(
    (entry) => isNodeIP(entry) && entry.ip?.family === other && useOf(entry) === undefined,
  );
  const advice = [
    kept.length === 0
      ? `Add ${family} to the instance`
      : `Give the instance another ${family} address`,
    ...changing(kept),
    ...(hasOther ? [`request ${other}`] : []),
  ];
  const text = formatRequest(request);
  return `Request "${text}" needs an ${family} address, but the cloud reports ${describeCloud(text, sieved)}.${aside} ${choiceOf(advice)}.`;
}

export function notFound(asked: IpAddress, sieved: Sieved): string {
  const { family } = asked;
  const text = formatAddress(asked);
  if (specialUseOf(asked) === 'unspecified') {
    return `Requested address ${text} is not the address of a machine. Request ${family} for any ${family} address of the instance, or remove the request.`;
  }
  const kept = sieved.excluded.filter(({ ip }) => ip !== undefined && isSameAddress(ip, asked));
  if (kept.length > 0) {
    return `Requested address ${text} is excluded${reasonsOf(kept)}. ${besideExcluded(text, kept, sieved)}`;
  }
  const advice = sieved.usable.some(isNodeIP)
    ? 'Request an address that the cloud reports or add this one to the instance.'
    : 'Add this address to the instance.';
  return `Requested address ${text} is not an address of the instance. The cloud reports ${describeCloud(text, sieved)}. ${advice}`;
}

/** Lists the other addresses if the requested one is excluded, and says what to do. */
function besideExcluded(
  requested: string,
  kept: readonly ExcludedAddress[],
  { usable, excluded }: Sieved,
): string {
  const others = { usable, excluded: excluded.filter((entry) => !kept.includes(entry)) };
  const listed = listCloud(requested, others);
  const also = listed === undefined ? 'reports no other IP address' : `also reports ${listed}`;
  const advice = [
    usable.some(isNodeIP)
      ? 'Request an address that the cloud reports'
      : 'Give the instance another IP address',
    ...changing(kept),
  ];
  return `The cloud ${also}. ${choiceOf(advice)}.`;
}

/** The cloud has the addresses, but consumers would derive other node IPs from them than the `picked` ones. */
export function otherStack(
  request: Request,
  { addresses, picked }: { addresses: readonly CloudAddress[]; picked: readonly IpAddress[] },
  excluded: readonly ExcludedAddress[],
): string {
  const stack = stackOf(addresses);
  const isSameStack = stack === stackAskedBy(request);
  const other = nodeIPsOf(addresses).find(
    ({ ip }) => ip !== undefined && !picked.some((one) => isSameAddress(one, ip)),
  );
  const outcome =
    isSameStack && other !== undefined
      ? `consumers would use ${printable(other.address, addressMax)} instead`
      : `the node would ${stack === null ? 'have no node IP' : `be ${stack}`}`;
  const aside = excluded.length === 0 ? '' : ` ${areExcluded(excluded)}.`;
  return `Request "${formatRequest(request)}" means ${stackAskedBy(request)}, but ${outcome}. Consumers take InternalIPs before ExternalIPs as node IPs, and never Hostnames.${aside} Give the instance the requested addresses as InternalIPs or request what it has.`;
}

/**
 * Describes the InternalIPs and ExternalIPs of the cloud: `only 1.2.3.4 (InternalIP), plus
 * 10.0.0.5, which is excluded (API VIP)`.
 */
function describeCloud(requested: string, sieved: Sieved): string {
  const listed = listCloud(requested, sieved);
  return listed === undefined ? 'no IP address' : `only ${listed}`;
}

function listCloud(requested: string, { usable, excluded }: Sieved): string | undefined {
  const excludedMax = excluded.length === 0 ? 0 : addressesMax;
  const room = echoMax - requested.length - excludedMax;
  const listed = listUsable(usable, Math.min(room, cloudEchoMax));
  if (excluded.length === 0) return listed;
  if (listed === undefined) return whichAreExcluded(excluded);
  return `${listed}, plus ${whichAreExcluded(excluded)}`;
}

function listUsable(entries: readonly CloudAddress[], lengthMax: number): string | undefined {
  const internal = textsOf(entries, 'InternalIP');
  const external = textsOf(entries, 'ExternalIP');
  if (internal.length === 0 && external.length === 0) return undefined;
  if (external.length === 0) return `${enumerate(internal, lengthMax)} (InternalIP)`;
  if (internal.length === 0) return `${enumerate(external, lengthMax)} (ExternalIP)`;
  const share = Math.floor(lengthMax / 2);
  return `${enumerate(internal, share)} (InternalIP) and ${enumerate(external, share)} (ExternalIP)`;
}

/** An excluded network may be too wide. A VIP is always excluded. */
function changing(excluded: readonly ExcludedAddress[]): string[] {
  return excluded.some(({ isVip }) => !isVip) ? ['change the exclusion'] : [];
}

/** `a, b or c`. */
function choiceOf(advice: readonly string[]): string {
  return [advice.slice(0, -1).join(', '), ...advice.slice(-1)].filter(Boolean).join(' or ');
}

/** Each text once: a cloud may list an address twice. */
function textsOf(entries: readonly CloudAddress[], type: string): string[] {
  const texts = new Set<string>();
  for (const entry of entries) {
    if (entry.type === type && entry.ip !== undefined) texts.add(entry.address);
  }
  return [...texts];
}

/** Whether consumers could use the entry as a node IP. */
function isNodeIP({ type, ip }: CloudAddress): boolean {
  return ip !== undefined && (type === 'InternalIP' || type === 'ExternalIP');
}

function useOf({ ip }: CloudAddress): SpecialUse | undefined {
  return ip && specialUseOf(ip);
}

/** The longest canonical text of an address. */
const addressMax = 39;
