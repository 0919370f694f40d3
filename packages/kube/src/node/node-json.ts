/** Reads the projection of a node from JSON. */
import type { NodeAddress } from '@tandem/core/node-address';
import { DecodeError } from '../decode-error.ts';
import type { Interner } from '../codec/interner.ts';
import {
  asObject,
  asText,
  booleanAt,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../codec/json-value.ts';
import { requireFacts } from '../codec/object-reader.ts';
import { type Pairs, sortedPairs } from '../codec/pairs.ts';
import {
  isKeptAnnotation,
  type NetworkCondition,
  type NodeProjection,
  type ReadyCondition,
  type SharedParts,
  type Taint,
} from './node-projection.ts';

export function nodeFromJson(value: unknown, shared: SharedParts): NodeProjection {
  const interner = shared.texts;
  const node = asObject(value, 'The node');
  const metadata = objectAt(node, 'metadata');
  const spec = objectAt(node, 'spec');
  const status = objectAt(node, 'status');
  const nodeInfo = objectAt(status, 'nodeInfo');
  return requireFacts({
    name: interner.fromText(textAt(metadata, 'name')),
    uid: textAt(metadata, 'uid'),
    resourceVersion: textAt(metadata, 'resourceVersion'),
    creationTimestampSeconds: secondsAt(metadata, 'creationTimestamp') ?? 0,
    deletionTimestampSeconds: secondsAt(metadata, 'deletionTimestamp'),
    labels: readPairs(objectAt(metadata, 'labels'), interner),
    annotations: readPairs(objectAt(metadata, 'annotations'), interner, isKeptAnnotation),
    providerID: textAt(spec, 'providerID'),
    podCIDRs: readTexts(listAt(spec, 'podCIDRs')),
    taints: shared.taints(readTaints(listAt(spec, 'taints'), interner)),
    unschedulable: booleanAt(spec, 'unschedulable'),
    addresses: readAddresses(listAt(status, 'addresses'), interner),
    ready: readReady(findCondition(status, 'Ready'), interner),
    networkUnavailable: readNetwork(findCondition(status, 'NetworkUnavailable'), interner),
    bootID: textAt(nodeInfo, 'bootID'),
    systemUUID: textAt(nodeInfo, 'systemUUID'),
  });
}

function readPairs(
  object: JsonObject,
  interner: Interner,
  isKept: (key: string) => boolean = () => true,
): Pairs {
  const turns: string[] = [];
  for (const [key, value] of Object.entries(object)) {
    if (isKept(key)) turns.push(interner.fromText(key), interner.fromText(asText(value, key)));
  }
  return sortedPairs(turns);
}

function readTexts(values: readonly unknown[]): readonly string[] {
  return values.length === 0 ? none : values.map((value) => asText(value, 'An entry'));
}

function readTaints(values: readonly unknown[], interner: Interner): readonly Taint[] {
  if (values.length === 0) return none;
  return values.map((value) => {
    const taint = asObject(value, 'A taint');
    return {
      key: interner.fromText(textAt(taint, 'key')),
      value: interner.fromText(textAt(taint, 'value')),
      effect: interner.fromText(textAt(taint, 'effect')),
    };
  });
}

function readAddresses(values: readonly unknown[], interner: Interner): readonly NodeAddress[] {
  if (values.length === 0) return none;
  return values.map((value) => {
    const address = asObject(value, 'An address');
    return {
      type: interner.fromText(textAt(address, 'type')),
      address: interner.fromText(textAt(address, 'address')),
    };
  });
}

/** The first condition of a type counts. */
function findCondition(status: JsonObject, type: string): JsonObject | undefined {
  for (const value of listAt(status, 'conditions')) {
    const condition = asObject(value, 'A condition');
    if (textAt(condition, 'type') === type) return condition;
  }
  return undefined;
}

function readReady(
  condition: JsonObject | undefined,
  interner: Interner,
): ReadyCondition | undefined {
  if (condition === undefined) return undefined;
  return {
    status: interner.fromText(textAt(condition, 'status')),
    lastTransitionSeconds: secondsAt(condition, 'lastTransitionTime') ?? 0,
  };
}

function readNetwork(
  condition: JsonObject | undefined,
  interner: Interner,
): NetworkCondition | undefined {
  if (condition === undefined) return undefined;
  return {
    status: interner.fromText(textAt(condition, 'status')),
    reason: interner.fromText(textAt(condition, 'reason')),
  };
}

function secondsAt(parent: JsonObject, field: string): number | undefined {
  const text = textAt(parent, field);
  if (text === '') return undefined;
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(seconds)) throw new DecodeError(`${field} is not a time`);
  return seconds;
}

const none: readonly never[] = Object.freeze([]);
