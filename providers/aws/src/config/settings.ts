/**
 * Turns `cloud.conf` into this provider's settings. The file is upstream's, so it may have keys for features that Tandem
 * does not have, such as load balancers: these are accepted. Keys that upstream does not know either are accepted and
 * named in the log, because they may be misspelt.
 */
import type { Family } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import { type Entry, readSections, type Section } from './read-sections.ts';
import { readOverrides, type ServiceOverride } from './service-override.ts';
import { lastOf, Problems, valuesOf } from './values.ts';

export interface AWSSettings {
  /** From the key `Zone` or `Region`. */
  readonly region: string | undefined;
  readonly clusterId: string | undefined;
  /** The role to assume for calls to EC2. */
  readonly roleARN: string | undefined;
  /** The cluster on whose behalf the role is assumed. STS compares it with the role's trust policy. */
  readonly sourceARN: string | undefined;
  readonly routeTableIds: readonly string[];
  /** The families of a node's addresses, in order; at least one. */
  readonly families: readonly Family[];
  /** Matches the instance types that have a network topology. */
  readonly topologyTypes: RegExp;
  /** Endpoints that replace EC2's own. */
  readonly overrides: readonly ServiceOverride[];
  /** Keys that neither Tandem nor upstream knows, with their lines. */
  readonly unknownKeys: readonly string[];
}

export type ReadSettings =
  | { readonly kind: 'read'; readonly settings: AWSSettings }
  /** One text for each problem, with its line and key. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

export function readSettings(text: string): ReadSettings {
  const problems = new Problems();
  const sections = readSections(text, problems);
  const entries = sections.filter(({ name }) => name === 'global').flatMap((one) => one.entries);
  const settings = readGlobal(entries, problems);
  const overrides = readOverrides(sections, problems);
  const { texts } = problems;
  if (texts.length > 0) return { kind: 'invalid', problems: texts };
  const unknownKeys = sections.flatMap(unknownKeysOf);
  return { kind: 'read', settings: { ...settings, overrides, unknownKeys } };
}

function readGlobal(
  entries: readonly Entry[],
  problems: Problems,
): Omit<AWSSettings, 'overrides' | 'unknownKeys'> {
  const matching = (key: string, pattern: RegExp, what: string): readonly Entry[] => {
    const given = valuesOf(entries, key).filter((one) => one.value !== '');
    for (const one of given.filter((each) => !pattern.test(each.value))) {
      problems.add(one.line, `${key} ${quote(one.value)} is not ${what}`);
    }
    return given;
  };
  return {
    region: readRegion(entries, problems),
    clusterId: readClusterId(entries, problems),
    roleARN: matching('RoleARN', roleARNPattern, 'the ARN of a role').at(-1)?.value,
    sourceARN: matching('SourceARN', accountPattern, 'an ARN with an account').at(-1)?.value,
    routeTableIds: matching('RouteTableID', tableIdPattern, 'the id of a route table').map(
      (one) => one.value,
    ),
    families: readFamilies(valuesOf(entries, 'NodeIPFamilies'), problems),
    topologyTypes: readTopologyTypes(entries, problems),
  };
}

const roleARNPattern = /^arn:[^:]+:iam::\d{12}:role\/./;
const tableIdPattern = /^rtb-[0-9a-f]+$/;
/** The ARN must name an account, because STS gets the account id too. */
const accountPattern = /^arn:[^:]+:[^:]+:[^:]*:(\d{12}):./;

/** Upstream's keys in lower case, for `[Global]` and `[ServiceOverride "1"]`. */
const knownKeys: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'global',
    new Set(
      (
        'zone region vpc subnetid routetableid rolearn sourcearn kubernetesclustertag kubernetesclusterid ' +
        'disablesecuritygroupingress elbsecuritygroup nodeipfamilies supportedtopologyinstancetypepattern ' +
        'clusterserviceloadbalancerhealthprobemode clusterservicesharedloadbalancerhealthprobeport ' +
        'clusterservicesharedloadbalancerhealthprobepath nlbsecuritygroupmode'
      ).split(' '),
    ),
  ],
  [
    'serviceoverride',
    new Set(['service', 'region', 'url', 'signingregion', 'signingmethod', 'signingname']),
  ],
]);

function unknownKeysOf({ name, entries }: Section): string[] {
  return entries
    .filter(({ key }) => knownKeys.get(name)?.has(key.toLowerCase()) !== true)
    .map(({ key, line }) => `${key} (line ${line})`);
}

/** Returns the account of an ARN such as `arn:aws:eks:eu-west-1:123456789012:cluster/blue`. */
export function accountOf(arn: string): string | undefined {
  return accountPattern.exec(arn)?.[1];
}

function readClusterId(entries: readonly Entry[], problems: Problems): string | undefined {
  const [id, tag] = [
    lastOf(entries, 'KubernetesClusterID'),
    lastOf(entries, 'KubernetesClusterTag'),
  ];
  if (id !== undefined && tag !== undefined && id.value !== tag.value) {
    const what = `KubernetesClusterTag ${quote(tag.value)} is not the KubernetesClusterID ${quote(id.value)}`;
    problems.add(tag.line, `${what}. Remove one of them`);
  }
  return (id ?? tag)?.value;
}

/** As in upstream's manager, `Zone` takes precedence over `Region`. */
function readRegion(entries: readonly Entry[], problems: Problems): string | undefined {
  const [zone, region] = [lastOf(entries, 'Zone'), lastOf(entries, 'Region')];
  if (zone === undefined) return region?.value;
  const ofZone = regionOfZone(zone.value);
  if (ofZone === undefined) {
    problems.add(zone.line, `Zone ${quote(zone.value)} does not begin with a region`);
  } else if (region !== undefined && region.value !== ofZone) {
    const what = `Region ${quote(region.value)} is not the region of Zone ${quote(zone.value)}`;
    problems.add(region.line, `${what}. Remove one of them`);
  }
  return ofZone;
}

/** Local zones belong to a region too: `us-west-2-lax-1a` is in `us-west-2`. */
function regionOfZone(zone: string): string | undefined {
  return /^(?:[a-z]+-)+\d+/.exec(zone)?.[0];
}

const familyWords: ReadonlyMap<string, Family> = new Map([
  ['ipv4', 'IPv4'],
  ['ipv6', 'IPv6'],
]);

function readFamilies(entries: readonly Entry[], problems: Problems): readonly Family[] {
  const families = entries.flatMap(({ value, line }) => {
    const family = familyWords.get(value);
    if (family !== undefined) return [family];
    const text = `NodeIPFamilies ${quote(value)} must be ipv4 or ipv6. Repeat the key for both`;
    problems.add(line, text);
    return [];
  });
  return families.length === 0 ? ['IPv4'] : [...new Set(families)];
}

/** Upstream's default. */
const topologyTypesDefault = /^(hpc|trn|p)[0-9]+[a-z]*(-[a-z0-9]+)?(\.[0-9a-z]*)$/;

function readTopologyTypes(entries: readonly Entry[], problems: Problems): RegExp {
  const given = lastOf(entries, 'SupportedTopologyInstanceTypePattern');
  if (given === undefined) return topologyTypesDefault;
  try {
    return new RegExp(given.value);
  } catch {
    problems.add(given.line, `${given.key} ${quote(given.value)} is not a regular expression`);
    return topologyTypesDefault;
  }
}
