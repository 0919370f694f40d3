/** Reads one instance of an inventory. A mistake in it affects only this entry. */
import { type Family, parseAddress, parseCidr } from '@tandem/core/ip';
import {
  labelKeyProblem,
  labelValueProblem,
  type NodeAddress,
  nodeAddressTypes,
  quote,
} from '@tandem/core/node-address';
import type { FieldNames, Place } from '@tandem/cli/yaml';
import type { Instance, PodBlocks } from '@tandem/provider/plug';
import {
  type EntrySource,
  type Fields,
  type InventoryYaml,
  looseText,
  textOf,
  type Value,
} from './inventory-yaml.ts';
import type { Position } from './problem.ts';

export interface Entry {
  readonly name: string;
  readonly instance: Instance;
  readonly place: Position;
}

/** The part of a refused entry that says which machine it describes. */
export interface Identity {
  readonly name: string | undefined;
  readonly providerID: string | undefined;
  /** Whether the intended providerID is certain. A mistyped field name leaves it open. */
  readonly hasCertainID: boolean;
}

const entryFields: FieldNames = {
  name: {},
  providerID: {},
  instanceType: {},
  zone: {},
  region: {},
  state: {},
  addresses: {},
  podCIDRs: {},
  labels: {},
};
const addressFields: FieldNames = { type: {}, address: {} };

/** The maximum numbers in one entry, more than any machine has. */
const addressesMax = 256;
const podCidrsMax = 64;
const labelsMax = 256;

export function readEntry(
  source: EntrySource,
  value: Value,
  isOwned: (providerID: string) => boolean,
): Entry {
  const fields = source.fields(value, entryFields);
  const name = textOf(source, required(source, fields, 'name'));
  const instance: Instance = {
    providerID: readProviderID(source, { fields, name, isOwned }),
    addresses: source
      .items(required(source, fields, 'addresses'), addressesMax)
      .map((address) => readAddress(source, address)),
    ...readOptionalTexts(source, fields),
    state: readState(source, fields.get('state')),
    labels: readLabels(source, fields.get('labels')),
    podBlocks: readPodBlocks(source, fields.get('podCIDRs')),
  };
  return { name, instance, place: { line: value.line, column: value.column } };
}

/** Leaves out the parts that it cannot read. Never throws. */
export function readIdentity(
  source: InventoryYaml,
  value: Value,
  isOwned: (providerID: string) => boolean,
): Identity {
  const name = looseText(source, value, 'name');
  const given = looseText(source, value, 'providerID');
  const keys = source.pairs(value)?.map(({ key }) => key) ?? [];
  const hasAllInPlace = keys.every((key) => key !== 'providerID' && isField(key));
  const hasDefaultID = given === undefined && name !== undefined && hasAllInPlace;
  return {
    name,
    providerID: given ?? (name === undefined ? undefined : defaultProviderID(name)),
    hasCertainID: hasDefaultID || (given !== undefined && isOwned(given)),
  };
}

function isField(key: unknown): boolean {
  return typeof key === 'string' && Object.hasOwn(entryFields, key);
}

function defaultProviderID(name: string): string {
  return `static:///${name}`;
}

function readProviderID(
  source: EntrySource,
  entry: { fields: Fields<string>; name: string; isOwned: (providerID: string) => boolean },
): string {
  const value = entry.fields.get('providerID');
  if (value === undefined) return defaultProviderID(entry.name);
  const providerID = textOf(source, value);
  if (entry.isOwned(providerID)) return providerID;
  return source.refuse(
    value,
    `providerID ${quote(providerID, 80)} must start with static:// or one of providerIDPrefixes`,
  );
}

function readAddress(source: EntrySource, value: Value): NodeAddress {
  const fields = source.fields(value, addressFields);
  const typeValue = required(source, fields, 'type');
  const typeText = textOf(source, typeValue);
  const type = nodeAddressTypes.find((known) => known === typeText);
  if (type === undefined) {
    return source.refuse(
      typeValue,
      `unknown type ${quote(typeText, 80)}; known types: ${nodeAddressTypes.join(', ')}`,
    );
  }
  const addressValue = required(source, fields, 'address');
  const address = textOf(source, addressValue);
  const isIP = type === 'InternalIP' || type === 'ExternalIP';
  if (isIP ? parseAddress(address) !== undefined : namePattern.test(address)) {
    return { type, address };
  }
  return source.refuse(
    addressValue,
    `${quote(address, 80)} is not ${isIP ? 'an IP address' : 'a hostname'}`,
  );
}

/** Letters, digits, dashes, dots and the underscores of some sites, up to the length that DNS allows. */
const namePattern = /^[a-z0-9_](?:[-a-z0-9._]{0,251}[a-z0-9_])?$/i;

/** Reads the texts that become labels of the node, so each must be a valid label value. */
function readOptionalTexts(
  source: EntrySource,
  fields: Fields<string>,
): Pick<Instance, 'instanceType' | 'zone' | 'region'> {
  const labelled = (field: 'instanceType' | 'zone' | 'region'): object => {
    const value = fields.get(field);
    if (value === undefined) return {};
    const text = textOf(source, value);
    refuseAny(source, value, labelValueProblem(text));
    return { [field]: text };
  };
  return { ...labelled('instanceType'), ...labelled('zone'), ...labelled('region') };
}

function readState(source: EntrySource, value: Value | undefined): 'running' | 'stopped' {
  if (value === undefined) return 'running';
  const state = textOf(source, value);
  if (state === 'running' || state === 'stopped') return state;
  return source.refuse(value, `state must be running or stopped, not ${quote(state)}`);
}

/** Checks labels here, because the API server would refuse the whole write without naming the key and the line. */
function readLabels(
  source: EntrySource,
  value: Value | undefined,
): Readonly<Record<string, string>> {
  const entries = value === undefined ? [] : source.entries(value, labelsMax);
  const labels = entries.map(({ key, keyPlace, value: item }) => {
    refuseAny(
      source,
      keyPlace,
      key === '' ? 'expected a string, found an empty string' : labelKeyProblem(key),
    );
    const text = source.text(item);
    refuseAny(source, item, labelValueProblem(text));
    return [key, text] as const;
  });
  return Object.fromEntries(labels);
}

function refuseAny(source: EntrySource, place: Place, problem: string | undefined): void {
  if (problem !== undefined) source.refuse(place, problem);
}

/** Accepts at most one CIDR of each family: a Node takes no more, and a choice between two would be arbitrary. */
function readPodBlocks(source: EntrySource, value: Value | undefined): PodBlocks {
  const blocks: Record<Family, string[]> = { IPv4: [], IPv6: [] };
  for (const item of value === undefined ? [] : source.items(value, podCidrsMax)) {
    const text = textOf(source, item);
    const parsed = parseCidr(text);
    if (parsed.kind !== 'cidr') {
      return source.refuse(item, `${quote(text, 80)} ${parsed.reason}`);
    }
    const { family } = parsed.cidr.network;
    if (blocks[family].length > 0) {
      const message = `${quote(text, 80)} is the second ${family} CIDR; give at most one of each family`;
      return source.refuse(item, message);
    }
    blocks[family].push(text);
  }
  return blocks;
}

function required(source: EntrySource, fields: Fields<string>, name: string): Value {
  const value = fields.get(name);
  if (value !== undefined) return value;
  const hint = name === 'addresses' ? '; write addresses: [] for none' : '';
  return source.refuse(fields.of, `${name} is missing${hint}`);
}
