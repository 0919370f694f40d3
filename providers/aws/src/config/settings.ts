/**
 * From `cloud.conf` to what this provider goes by. The file is upstream's, so that it has keys for things
 * which are not done here, such as load balancers: they are accepted. Keys that upstream does not have
 * either are accepted too, and named, because they may be misspelt.
 */
import type { Family } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import { type Entry, readSections, type Section } from './read-sections.ts';
import { readOverrides, type ServiceOverride } from './service-override.ts';
import { SettingsProblem, valuesOf } from './values.ts';

export interface AWSSettings {
  /** Of the key `Zone` or `Region`. */
  readonly region: string | undefined;
  readonly clusterId: string | undefined;
  /** The role that is assumed for calls to EC2. */
  readonly roleARN: string | undefined;
  /** On whose behalf the role is assumed: STS compares it with the trust policy. */
  readonly sourceARN: string | undefined;
  readonly routeTableIds: readonly string[];
  /** In the order in which a node's addresses are listed; at least one. */
  readonly families: readonly Family[];
  /** Matches the instance types that have a network topology. */
  readonly topologyTypes: RegExp;
  /** Endpoints in place of EC2's own. */
  readonly overrides: readonly ServiceOverride[];
  /** Keys that have no meaning here nor upstream, with their lines. */
  readonly unknownKeys: readonly string[];
}

export function readSettings(text: string): AWSSettings {
  const read = readSections(text);
  if (read.kind === 'invalid') throw new SettingsProblem(`line ${read.line} ${read.problem}`);
  const entries = read.sections
    .filter(({ name }) => name === 'global')
    .flatMap((one) => one.entries);
  const value = (key: string): string | undefined =>
    valuesOf(entries, key).at(-1)?.value || undefined;
  const zone = value('Zone');
  return {
    region: zone === undefined ? value('Region') : regionOfZone(zone),
    clusterId: value('KubernetesClusterID') ?? value('KubernetesClusterTag'),
    roleARN: value('RoleARN'),
    sourceARN: readSourceARN(valuesOf(entries, 'SourceARN')),
    routeTableIds: valuesOf(entries, 'RouteTableID').flatMap((one) => one.value || []),
    families: readFamilies(valuesOf(entries, 'NodeIPFamilies')),
    topologyTypes: readTopologyTypes(valuesOf(entries, 'SupportedTopologyInstanceTypePattern')),
    overrides: readOverrides(read.sections),
    unknownKeys: read.sections.flatMap(unknownKeysOf),
  };
}

/** Upstream's, in lower case: `[Global]` and `[ServiceOverride "1"]`. */
const knownKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  global: new Set(
    (
      'zone region vpc subnetid routetableid rolearn sourcearn kubernetesclustertag kubernetesclusterid ' +
      'disablesecuritygroupingress elbsecuritygroup nodeipfamilies supportedtopologyinstancetypepattern ' +
      'clusterserviceloadbalancerhealthprobemode clusterserviceloadbalancerhealthprobeport ' +
      'clusterserviceloadbalancerhealthprobepath nlbsecuritygroupmode'
    ).split(' '),
  ),
  serviceoverride: new Set([
    'service',
    'region',
    'url',
    'signingregion',
    'signingmethod',
    'signingname',
  ]),
};

function unknownKeysOf({ name, entries }: Section): string[] {
  return entries
    .filter(({ key }) => knownKeys[name]?.has(key.toLowerCase()) !== true)
    .map(({ key, line }) => `${key} (line ${line})`);
}

/** It has to name an account, which is sent along. */
function readSourceARN(entries: readonly Entry[]): string | undefined {
  const given = entries.findLast(({ value }) => value !== '');
  if (given === undefined || accountOf(given.value) !== undefined) return given?.value;
  throw new SettingsProblem(
    `line ${given.line}: SourceARN ${quote(given.value)} is not an ARN with an account`,
  );
}

/** The account that an ARN names: `arn:aws:eks:eu-west-1:123456789012:cluster/blue`. */
export function accountOf(arn: string): string | undefined {
  return /^arn:[^:]+:[^:]+:[^:]*:(\d{12}):./.exec(arn)?.[1];
}

/** `us-west-2-lax-1a` lies in `us-west-2`. */
function regionOfZone(zone: string): string {
  const region = /^(?:[a-z]+-)+\d+/.exec(zone)?.[0];
  if (region !== undefined) return region;
  throw new SettingsProblem(`Zone ${quote(zone)} does not begin with a region`);
}

const familyWords: Readonly<Record<string, Family>> = { ipv4: 'IPv4', ipv6: 'IPv6' };

function readFamilies(entries: readonly Entry[]): readonly Family[] {
  const families = entries.map(({ value, line }) => {
    const family = familyWords[value];
    if (family !== undefined) return family;
    throw new SettingsProblem(
      `line ${line}: NodeIPFamilies ${quote(value)} must be ipv4 or ipv6. Repeat the key for both`,
    );
  });
  return families.length === 0 ? ['IPv4'] : [...new Set(families)];
}

/** Upstream's. */
const topologyTypesDefault = /^(hpc|trn|p)[0-9]+[a-z]*(-[a-z0-9]+)?(\.[0-9a-z]*)$/;

function readTopologyTypes(entries: readonly Entry[]): RegExp {
  const given = entries.findLast(({ value }) => value !== '');
  if (given === undefined) return topologyTypesDefault;
  try {
    return new RegExp(given.value);
  } catch {
    const what = `SupportedTopologyInstanceTypePattern ${quote(given.value)}`;
    throw new SettingsProblem(`line ${given.line}: ${what} is not a regular expression`);
  }
}
