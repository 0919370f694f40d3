/**
 * Reads what a provider answered, trusting nothing: providers are other people's code, and clouds
 * answer with half-written JSON and pages for browsers. What does not fit is told in one sentence and
 * counts as unknown, never as absent and never as an instance without addresses (P3). What fits is
 * copied, so that nobody can change it afterwards.
 */
import { parseAddress, parseCidr } from '@tandem/core/ip';
import { type NodeAddress, nodeAddressTypes, printable } from '@tandem/core/node-address';
import type { Instance, InstanceState } from '../plug/index.ts';

export type ReadAnswer =
  | { readonly kind: 'found'; readonly instance: Instance }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly err: unknown; readonly retryAfterMs: unknown }
  | { readonly kind: 'malformed'; readonly problem: string };

/** Never throws, whatever somebody's getters do. */
export function readAnswer(value: unknown, owns: (providerID: string) => boolean): ReadAnswer {
  try {
    return readKind(value, owns);
  } catch (err) {
    return malformed(
      `reading it failed: ${err instanceof Error ? printable(err.message, 80) : '?'}`,
    );
  }
}

function readKind(value: unknown, owns: (providerID: string) => boolean): ReadAnswer {
  switch (fieldOf(value, 'kind')) {
    case 'found':
      return readFound(fieldOf(value, 'instance'), owns);
    case 'absent':
      return { kind: 'absent' };
    case 'unknown': {
      const retryAfterMs = fieldOf(value, 'retryAfterMs');
      const err = fieldOf(value, 'err');
      return { kind: 'unknown', err, retryAfterMs: retryAfterMs ?? undefined };
    }
    default:
      return malformed('its kind is neither found nor absent nor unknown');
  }
}

const instanceStates: readonly InstanceState[] = [
  'pending',
  'running',
  'stopping',
  'stopped',
  'terminating',
];

/** More than any machine has; past them something else than an instance was read. */
const addressesMax = 1_024;
const labelsMax = 1_024;
const podCidrsMax = 1_024;

function readFound(value: unknown, owns: (providerID: string) => boolean): ReadAnswer {
  const providerID = fieldOf(value, 'providerID');
  if (!isFullText(providerID)) return malformed('the instance has no providerID');
  // Once a node has it, it has it for ever.
  if (!providerIDPattern.test(providerID)) {
    return malformed(`the providerID ${printable(providerID, 80)} is no single word of ASCII`);
  }
  if (!owns(providerID)) {
    return malformed(`the instance has the foreign providerID ${printable(providerID, 80)}`);
  }
  const addresses = readList(fieldOf(value, 'addresses'), addressesMax, readAddress);
  if (addresses === undefined) {
    return malformed(
      'addresses is not a list of entries with a type of Kubernetes and an address of that type',
    );
  }
  const state = instanceStates.find((known) => known === fieldOf(value, 'state'));
  if (state === undefined) return malformed(`state is none of ${instanceStates.join(', ')}`);
  const labels = readLabels(fieldOf(value, 'labels'));
  if (labels === undefined) return malformed('labels is not a map of texts');
  const podCIDRs = readList(fieldOf(value, 'podCIDRs'), podCidrsMax, readCidrText);
  if (podCIDRs === undefined) return malformed('podCIDRs is not a list of networks');
  const optional = readOptionalTexts(value);
  if (optional === undefined) return malformed('instanceType, zone or region is not a text');
  const instance = { providerID, addresses, ...optional, state, labels, podCIDRs };
  return { kind: 'found', instance };
}

function readList<T>(
  value: unknown,
  countMax: number,
  read: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > countMax) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const known = read(item);
    if (known === undefined) return undefined;
    items.push(known);
  }
  return items;
}

/** The spelling is the cloud's business; what it spells is not. */
function readAddress(value: unknown): NodeAddress | undefined {
  const given = fieldOf(value, 'type');
  const type = nodeAddressTypes.find((known) => known === given);
  const address = fieldOf(value, 'address');
  if (type === undefined || !isFullText(address)) return undefined;
  const isIP = type === 'InternalIP' || type === 'ExternalIP';
  const fits = isIP ? parseAddress(address) !== undefined : namePattern.test(address);
  return fits ? { type, address } : undefined;
}

/** Host names are at most as long as DNS allows, and have no blanks. */
const namePattern = /^[\x21-\x7e]{1,253}$/;
const providerIDPattern = /^[\x21-\x7e]{1,512}$/;

function readCidrText(value: unknown): string | undefined {
  return typeof value === 'string' && parseCidr(value).kind === 'cidr' ? value : undefined;
}

function readLabels(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries: [string, string][] = [];
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') return undefined;
    entries.push([key, text]);
  }
  return entries.length > labelsMax ? undefined : Object.fromEntries(entries);
}

type OptionalTexts = Pick<Instance, 'instanceType' | 'zone' | 'region'>;

function readOptionalTexts(value: unknown): OptionalTexts | undefined {
  const instanceType = fieldOf(value, 'instanceType');
  const zone = fieldOf(value, 'zone');
  const region = fieldOf(value, 'region');
  if (!isTextOrNone(instanceType) || !isTextOrNone(zone) || !isTextOrNone(region)) return undefined;
  return {
    ...(instanceType ? { instanceType } : {}),
    ...(zone ? { zone } : {}),
    ...(region ? { region } : {}),
  };
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isFullText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function malformed(problem: string): ReadAnswer {
  return { kind: 'malformed', problem };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
