/** Reads one instance of an inventory. Whatever is wrong with it concerns this entry alone. */
import { type Family, parseAddress, parseCidr } from '@tandem/core/ip';
import {
  labelKeyProblem,
  labelValueProblem,
  type NodeAddress,
  nodeAddressTypes,
  quote,
} from '@tandem/core/node-address';
import type { Instance, PodBlocks } from '@tandem/provider/plug';
import { InventoryProblem, type Position } from './problem.ts';
import type { EntrySource, Fields, Value, YamlSource } from './yaml-source.ts';

export interface Entry {
  readonly name: string;
  readonly instance: Instance;
  readonly place: Position;
}

/** As much of an entry as can be told even when the rest of it is faulty. */
export interface Identity {
  readonly name: string | undefined;
  readonly providerID: string | undefined;
  /** Whether it is beyond doubt which providerID was meant; a mistyped field leaves that open. */
  readonly hasCertainID: boolean;
}

const entryFields = [
  'name',
  'providerID',
  'instanceType',
  'zone',
  'region',
  'state',
  'addresses',
  'podCIDRs',
  'labels',
];

/** More than any machine has. */
const addressesMax = 256;
const podCidrsMax = 64;
const labelsMax = 256;

export function readEntry(
  source: EntrySource,
  value: Value,
  isOwned: (providerID: string) => boolean,
): Entry {
  const fields = source.fields(value, entryFields);
  const name = source.text(required(fields, 'name'));
  const instance: Instance = {
    providerID: readProviderID(source, { fields, name, isOwned }),
    addresses: source
      .list(required(fields, 'addresses'), addressesMax)
      .map((address) => readAddress(source, address)),
    ...readOptionalTexts(source, fields),
    state: readState(source, fields.get('state')),
    labels: readLabels(source, fields.get('labels')),
    podBlocks: readPodBlocks(source, fields.get('podCIDRs')),
  };
  return { name, instance, place: value.place };
}

/** Never throws: what cannot be read is left out. */
export function readIdentity(
  source: YamlSource,
  value: Value,
  isOwned: (providerID: string) => boolean,
): Identity {
  const name = source.looseText(value, 'name');
  const given = source.looseText(value, 'providerID');
  const hasAllInPlace = source.hasOnly(value, entryFields) && !source.has(value, 'providerID');
  const hasDefaultID = given === undefined && name !== undefined && hasAllInPlace;
  return {
    name,
    providerID: given ?? (name === undefined ? undefined : defaultProviderID(name)),
    hasCertainID: hasDefaultID || (given !== undefined && isOwned(given)),
  };
}

function defaultProviderID(name: string): string {
  return `static:///${name}`;
}

function readProviderID(
  source: EntrySource,
  entry: { fields: Fields; name: string; isOwned: (providerID: string) => boolean },
): string {
  const value = entry.fields.get('providerID');
  if (value === undefined) return defaultProviderID(entry.name);
  const providerID = source.text(value);
  if (entry.isOwned(providerID)) return providerID;
  throw new InventoryProblem(
    value.place,
    `providerID ${quote(providerID, 80)} must start with static:// or one of providerIDPrefixes`,
  );
}

function readAddress(source: EntrySource, value: Value): NodeAddress {
  const fields = source.fields(value, ['type', 'address']);
  const typeValue = required(fields, 'type');
  const typeText = source.text(typeValue);
  const type = nodeAddressTypes.find((known) => known === typeText);
  if (type === undefined) {
    throw new InventoryProblem(
      typeValue.place,
      `unknown type ${quote(typeText, 80)}; known types: ${nodeAddressTypes.join(', ')}`,
    );
  }
  const addressValue = required(fields, 'address');
  const address = source.text(addressValue);
  const isIP = type === 'InternalIP' || type === 'ExternalIP';
  if (isIP ? parseAddress(address) !== undefined : namePattern.test(address)) {
    return { type, address };
  }
  throw new InventoryProblem(
    addressValue.place,
    `${quote(address, 80)} is not ${isIP ? 'an IP address' : 'a hostname'}`,
  );
}

/** Letters, digits, dashes and dots, underscores as some have them; as long as DNS allows. */
const namePattern = /^[a-z0-9_](?:[-a-z0-9._]{0,251}[a-z0-9_])?$/i;

/** They become labels of the node, and are held to what labels are held to. */
function readOptionalTexts(
  source: EntrySource,
  fields: Fields,
): Pick<Instance, 'instanceType' | 'zone' | 'region'> {
  const textOf = (field: 'instanceType' | 'zone' | 'region'): object => {
    const value = fields.get(field);
    if (value === undefined) return {};
    const text = source.text(value);
    refuse(value.place, labelValueProblem(text));
    return { [field]: text };
  };
  return { ...textOf('instanceType'), ...textOf('zone'), ...textOf('region') };
}

function readState(source: EntrySource, value: Value | undefined): 'running' | 'stopped' {
  if (value === undefined) return 'running';
  const state = source.text(value);
  if (state === 'running' || state === 'stopped') return state;
  throw new InventoryProblem(value.place, `state must be running or stopped, not ${quote(state)}`);
}

/** The API server would refuse the whole write, with the value but without the key and the line. */
function readLabels(
  source: EntrySource,
  value: Value | undefined,
): Readonly<Record<string, string>> {
  const entries = value === undefined ? [] : source.texts(value, labelsMax);
  for (const { key, keyPlace, text, place } of entries) {
    refuse(keyPlace, labelKeyProblem(key));
    refuse(place, labelValueProblem(text));
  }
  return Object.fromEntries(entries.map(({ key, text }) => [key, text]));
}

function refuse(place: Position, problem: string | undefined): void {
  if (problem !== undefined) throw new InventoryProblem(place, problem);
}

/** At most one of each family: a Node has room for no more, and the choice between two would be arbitrary. */
function readPodBlocks(source: EntrySource, value: Value | undefined): PodBlocks {
  const blocks: Record<Family, string[]> = { IPv4: [], IPv6: [] };
  for (const item of value === undefined ? [] : source.list(value, podCidrsMax)) {
    const text = source.text(item);
    const parsed = parseCidr(text);
    if (parsed.kind !== 'cidr') {
      throw new InventoryProblem(item.place, `${quote(text, 80)} ${parsed.reason}`);
    }
    const { family } = parsed.cidr.network;
    if (blocks[family].length > 0) {
      const message = `${quote(text, 80)} is the second ${family} CIDR; give at most one of each family`;
      throw new InventoryProblem(item.place, message);
    }
    blocks[family].push(text);
  }
  return blocks;
}

function required(fields: Fields, name: string): Value {
  const value = fields.get(name);
  if (value !== undefined) return value;
  const hint = name === 'addresses' ? '; write addresses: [] for none' : '';
  throw new InventoryProblem(fields.place, `${name} is missing${hint}`);
}
