/**
 * Turns the configured virtual IPs of the cluster into exclusions. Each setting is a singular field
 * with a plural: `apiVIP` with `apiVIPs`, `ingressVIP` with `ingressVIPs`. Each has at most one VIP
 * per family, IPv4 first, inside the machine networks if these are set.
 */
import {
  type Cidr,
  cidrOfAddress,
  containsAddress,
  formatAddress,
  type IpAddress,
  isSameAddress,
  parseAddress,
  parseCidr,
} from '../ip/index.ts';
import { createPlural } from '../plural-field/index.ts';
import type { Exclusion } from './exclusion.ts';
import { quote } from './wording.ts';

export interface VipSettings {
  readonly apiVIP?: string;
  readonly apiVIPs?: readonly string[];
  readonly ingressVIP?: string;
  readonly ingressVIPs?: readonly string[];
  readonly machineNetworks?: readonly string[];
}

export interface Problem {
  /** Where in the settings, such as `apiVIPs[1]`. */
  readonly path: string;
  readonly message: string;
}

/** Returns the exclusions, or all problems of the settings. */
export function readVips(
  settings: VipSettings,
):
  | { readonly kind: 'exclusions'; readonly exclusions: readonly Exclusion[] }
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const networks = readNetworks(settings.machineNetworks ?? [], problems);
  const exclusions = vipFields.flatMap((field) => {
    const vips = readField(settings, field, problems);
    checkFamilies(vips, field.plural, problems);
    checkNetworks(vips, networks, problems);
    return vips.map(({ ip }) => ({ cidr: cidrOfAddress(ip), reason: field.reason, isVip: true }));
  });
  return problems.length === 0 ? { kind: 'exclusions', exclusions } : { kind: 'invalid', problems };
}

const vipFields = [
  { singular: 'apiVIP', plural: 'apiVIPs', reason: 'API VIP' },
  { singular: 'ingressVIP', plural: 'ingressVIPs', reason: 'ingress VIP' },
] as const;

interface Vip {
  readonly path: string;
  readonly ip: IpAddress;
}

function readField(
  settings: VipSettings,
  { singular, plural }: (typeof vipFields)[number],
  problems: Problem[],
): readonly Vip[] {
  const single = settings[singular];
  const list = settings[plural];
  const one = single === undefined ? undefined : readAddress(single, singular, problems);
  const many = list?.map((text, index) => readAddress(text, `${plural}[${index}]`, problems));
  if ((single !== undefined && one === undefined) || many?.includes(undefined)) return [];
  const created = createPlural({
    singular: one,
    plural: many?.filter((vip) => vip !== undefined),
    isSame: (a, b) => isSameAddress(a.ip, b.ip),
    names: { singular, plural },
  });
  if (created.kind === 'value') return created.plural;
  problems.push({ path: plural, message: created.reason });
  return [];
}

function readAddress(text: string, path: string, problems: Problem[]): Vip | undefined {
  const ip = parseAddress(text);
  if (ip === undefined) problems.push({ path, message: `${quote(text)} is not an IP address` });
  return ip && { path, ip };
}

function readNetworks(texts: readonly string[], problems: Problem[]): readonly Cidr[] {
  return texts.flatMap((text, index) => {
    const parsed = parseCidr(text);
    if (parsed.kind === 'cidr') return [parsed.cidr];
    problems.push({
      path: `machineNetworks[${index}]`,
      message: `${quote(text)} ${parsed.reason}`,
    });
    return [];
  });
}

function checkFamilies(vips: readonly Vip[], path: string, problems: Problem[]): void {
  const [first, second] = vips;
  if (vips.length > 2 || (second && first?.ip.family === second.ip.family)) {
    problems.push({ path, message: 'accepts at most one VIP of each family' });
  } else if (second && first?.ip.family === 'IPv6') {
    problems.push({ path, message: 'must list the IPv4 VIP first' });
  }
}

function checkNetworks(vips: readonly Vip[], networks: readonly Cidr[], problems: Problem[]): void {
  if (networks.length === 0) return;
  for (const { path, ip } of vips) {
    if (!networks.some((network) => containsAddress(network, ip))) {
      problems.push({ path, message: `${formatAddress(ip)} is not in any of the machineNetworks` });
    }
  }
}
