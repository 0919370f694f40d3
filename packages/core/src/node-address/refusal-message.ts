/**
 * What a refused request says to the person who reads the event at night: what was asked, what the
 * cloud has, and what to do. Bounded, and safe to print (see `wording.ts`).
 */
import {
  type Family,
  formatAddress,
  type IpAddress,
  isSameAddress,
  specialUseOf,
} from '../ip/index.ts';
import type { CloudAddress } from './address-list.ts';
import type { ExcludedAddress, Sieved } from './exclusion.ts';
import { formatRequest, formatToken, type Request } from './request.ts';
import { nodeIPsOf, stackAskedBy, stackOf } from './stack.ts';
import { cloudEchoMax, enumerate, printable } from './wording.ts';

export const noAddressListed =
  'the cloud lists no address for this instance: give it one; the node is left as it is until then';

export function allExcluded(excluded: readonly ExcludedAddress[]): string {
  const first = excluded[0];
  const what = excluded.length === 1 ? 'the only address' : `all ${excluded.length} addresses`;
  const example = first === undefined ? '' : ` (${describeExcluded(first)})`;
  return `${what} that the cloud lists for this instance must not be a node IP${example}: give it another, or lift the exclusion`;
}

export function noneOfFamily(family: Family, { usable, excluded }: Sieved): string {
  const other: Family = family === 'IPv4' ? 'IPv6' : 'IPv4';
  const unfit = usable.find(({ ip }) => ip?.family === family && specialUseOf(ip) !== undefined);
  const use = unfit?.ip && specialUseOf(unfit.ip);
  const kept = excluded.find(({ ip }) => ip?.family === family);
  const reason = [
    use && unfit.ip ? `${formatAddress(unfit.ip)} is ${use}` : undefined,
    kept && describeExcluded(kept),
  ].filter((part) => part !== undefined);
  const aside = reason.length === 0 ? '' : ` (${reason.join(', ')})`;
  const hasOther = usable.some(({ ip }) => ip?.family === other && !specialUseOf(ip));
  const advice = `add ${family} to the instance${hasOther ? ` or ask for ${other}` : ''}`;
  return `asked for an ${family} address, ${describeCloud(usable, 'only')}${aside}: ${advice}`;
}

export function notFound(asked: IpAddress, { usable, excluded }: Sieved): string {
  const text = formatAddress(asked);
  if (specialUseOf(asked) === 'unspecified') {
    return `asked for ${text}, which is no machine's address: ask for ${asked.family} to have one of that family picked, or remove the request`;
  }
  const kept = excluded.find(({ ip }) => ip !== undefined && isSameAddress(ip, asked));
  if (kept !== undefined) {
    return `asked for ${text}, which must not be a node IP: ${printable(kept.reason, reasonMax)}; ${describeCloud(usable, 'otherwise')}: ask for another address, or lift the exclusion`;
  }
  return `asked for ${text}, ${describeCloud(usable, 'only')}: ask for an address that it reports, or give the instance ${text}`;
}

/** The addresses are there, but consumers would make another stack of them. */
export function otherStack(request: Request, addresses: readonly CloudAddress[]): string {
  const asked = formatRequest(request);
  const primary = request[0];
  const derived = nodeIPsOf(addresses).map(({ address }) => printable(address, 39));
  const seen = `${stackOf(addresses) ?? 'without an IP'}${derived.length === 0 ? '' : ` (${derived.join(', ')})`}`;
  return `asked for ${asked} (${stackAskedBy(request)}), but InternalIPs come before ExternalIPs and so the node would be ${seen}: give the instance ${formatToken(primary)} as an InternalIP, or ask for what it has`;
}

/** `the cloud reports only 1.2.3.4 and 5.6.7.8 (InternalIP)`, of IP addresses alone. */
function describeCloud(entries: readonly CloudAddress[], adverb: string): string {
  const withIP = entries.filter(({ type, ip }) => ip !== undefined && type.endsWith('IP'));
  if (withIP.length === 0)
    return `the cloud ${adverb === 'only' ? '' : `${adverb} `}reports no IP address`;
  const types = [...new Set(withIP.map(({ type }) => type))];
  const share = Math.floor(cloudEchoMax / types.length);
  const lists = types.slice(0, typesMax).map((type) => {
    const texts = withIP.filter((entry) => entry.type === type).map(({ address }) => address);
    return `${enumerate(texts, share)} (${type})`;
  });
  return `the cloud ${adverb === 'only' ? 'reports only' : `${adverb} reports`} ${lists.join(', ')}`;
}

const typesMax = 2;
const reasonMax = 64;

function describeExcluded({ address, reason }: ExcludedAddress): string {
  return `${printable(address, 39)} is excluded: ${printable(reason, reasonMax)}`;
}
