/** Reads the projection of a node from JSON. */
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
import { isKeptAnnotation, type NodeProjection } from './node-projection.ts';

export function nodeFromJson(value: unknown, interner: Interner): NodeProjection {
  const node = asObject(value, 'The node');
  const metadata = objectAt(node, 'metadata');
  const spec = objectAt(node, 'spec');
  const status = objectAt(node, 'status');
  const nodeInfo = objectAt(status, 'nodeInfo');
  const sharedAt = (parent: JsonObject, field: string): string =>
    interner.intern(textAt(parent, field));
  const ready = findCondition(status, 'Ready');
  const network = findCondition(status, 'NetworkUnavailable');
  return requireFacts({
    name: sharedAt(metadata, 'name'),
    uid: textAt(metadata, 'uid'),
    resourceVersion: textAt(metadata, 'resourceVersion'),
    creationTimestampSeconds: secondsAt(metadata, 'creationTimestamp') ?? 0,
    deletionTimestampSeconds: secondsAt(metadata, 'deletionTimestamp'),
    labels: readTexts(objectAt(metadata, 'labels'), interner),
    annotations: readTexts(objectAt(metadata, 'annotations'), interner, isKeptAnnotation),
    providerID: textAt(spec, 'providerID'),
    podCIDRs: listAt(spec, 'podCIDRs').map((cidr) => asText(cidr, 'An entry')),
    taints: listAt(spec, 'taints').map((entry) => {
      const taint = asObject(entry, 'A taint');
      return {
        key: sharedAt(taint, 'key'),
        value: sharedAt(taint, 'value'),
        effect: sharedAt(taint, 'effect'),
      };
    }),
    unschedulable: booleanAt(spec, 'unschedulable'),
    addresses: listAt(status, 'addresses').map((entry) => {
      const address = asObject(entry, 'An address');
      return { type: sharedAt(address, 'type'), address: sharedAt(address, 'address') };
    }),
    ready: ready && {
      status: sharedAt(ready, 'status'),
      lastTransitionSeconds: secondsAt(ready, 'lastTransitionTime') ?? 0,
    },
    networkUnavailable: network && {
      status: sharedAt(network, 'status'),
      reason: sharedAt(network, 'reason'),
    },
    bootID: textAt(nodeInfo, 'bootID'),
    systemUUID: textAt(nodeInfo, 'systemUUID'),
  });
}

function readTexts(
  object: JsonObject,
  interner: Interner,
  isKept: (key: string) => boolean = () => true,
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(object)) {
    if (isKept(key)) texts[key] = interner.intern(asText(value, key));
  }
  return texts;
}

/** The first condition of a type counts. */
function findCondition(status: JsonObject, type: string): JsonObject | undefined {
  return listAt(status, 'conditions')
    .map((condition) => asObject(condition, 'A condition'))
    .find((condition) => textAt(condition, 'type') === type);
}

function secondsAt(parent: JsonObject, field: string): number | undefined {
  const text = textAt(parent, field);
  if (text === '') return undefined;
  const seconds = Math.floor(Date.parse(text) / 1000);
  if (Number.isNaN(seconds)) throw new DecodeError(`${field} is not a time`);
  return seconds;
}
