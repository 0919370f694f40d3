/**
 * Reads the projection of a node from protobuf. Field numbers are those of k8s.io/api/core/v1 and
 * k8s.io/apimachinery/pkg/apis/meta/v1, which never change once released. Other fields are skipped.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import {
  type BinaryReader,
  enter,
  fieldOf,
  nextTag,
  readInteger,
  readText,
  skip,
} from '../protobuf.ts';
import type { Interner } from '../codec/interner.ts';
import { requireFacts } from '../codec/object-reader.ts';
import {
  isKeptAnnotation,
  type NetworkCondition,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';

/** Reads the message that ends with the reader's bytes. */
export function nodeFromProtobuf(reader: BinaryReader, interner: Interner): NodeProjection {
  const node = anEmptyNode();
  const end = reader.len;
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    const field = fieldOf(tag);
    if (field === 1) readMetadata(reader, enter(reader, tag), node, interner);
    else if (field === 2) readSpec(reader, enter(reader, tag), node, interner);
    else if (field === 3) readStatus(reader, enter(reader, tag), node, interner);
    else skip(reader, tag);
  }
  return requireFacts({
    ...node,
    // A list that grew has spare capacity. The copy has none.
    podCIDRs: node.podCIDRs.slice(),
    taints: node.taints.slice(),
    addresses: node.addresses.slice(),
  });
}

/** A projection that is being read. */
interface NodeSoFar {
  name: string;
  uid: string;
  resourceVersion: string;
  creationTimestampSeconds: number;
  deletionTimestampSeconds: number | undefined;
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  providerID: string;
  readonly podCIDRs: string[];
  readonly taints: Taint[];
  unschedulable: boolean;
  readonly addresses: NodeAddress[];
  ready: ReadyCondition | undefined;
  networkUnavailable: NetworkCondition | undefined;
  bootID: string;
  systemUUID: string;
}

function anEmptyNode(): NodeSoFar {
  return {
    name: '',
    uid: '',
    resourceVersion: '',
    creationTimestampSeconds: 0,
    deletionTimestampSeconds: undefined,
    labels: {},
    annotations: {},
    providerID: '',
    podCIDRs: [],
    taints: [],
    unschedulable: false,
    addresses: [],
    ready: undefined,
    networkUnavailable: undefined,
    bootID: '',
    systemUUID: '',
  };
}

/** `ObjectMeta`. */
function readMetadata(
  reader: BinaryReader,
  end: number,
  node: NodeSoFar,
  interner: Interner,
): void {
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    switch (fieldOf(tag)) {
      case 1:
        node.name = readShared(reader, tag, interner);
        break;
      case 5:
        node.uid = readText(reader, tag);
        break;
      case 6:
        node.resourceVersion = readText(reader, tag);
        break;
      case 8:
        node.creationTimestampSeconds = readTime(reader, tag);
        break;
      case 9:
        node.deletionTimestampSeconds = readTime(reader, tag);
        break;
      case 11: {
        const [key, value] = readPair(reader, tag, interner);
        node.labels[key] = value;
        break;
      }
      case 12: {
        const [key, value] = readPair(reader, tag, interner);
        if (isKeptAnnotation(key)) node.annotations[key] = value;
        break;
      }
      default:
        skip(reader, tag);
    }
  }
}

/** `NodeSpec`. */
function readSpec(reader: BinaryReader, end: number, node: NodeSoFar, interner: Interner): void {
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    const field = fieldOf(tag);
    if (field === 3) node.providerID = readText(reader, tag);
    else if (field === 4) node.unschedulable = readInteger(reader, tag) !== 0;
    else if (field === 5) node.taints.push(readTaint(reader, tag, interner));
    else if (field === 7) node.podCIDRs.push(readText(reader, tag));
    else skip(reader, tag);
  }
}

/** `NodeStatus`. */
function readStatus(reader: BinaryReader, end: number, node: NodeSoFar, interner: Interner): void {
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    const field = fieldOf(tag);
    if (field === 4) readCondition(reader, tag, node, interner);
    else if (field === 5) node.addresses.push(readAddress(reader, tag, interner));
    else if (field === 7) readNodeInfo(reader, tag, node);
    else skip(reader, tag);
  }
}

/** `NodeCondition`. The first condition of a type counts, as in JSON. */
function readCondition(
  reader: BinaryReader,
  outerTag: number,
  node: NodeSoFar,
  interner: Interner,
): void {
  let type = '';
  let status = '';
  let lastTransitionSeconds = 0;
  let reason = '';
  const end = enter(reader, outerTag);
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    const field = fieldOf(tag);
    if (field === 1) type = readShared(reader, tag, interner);
    else if (field === 2) status = readShared(reader, tag, interner);
    else if (field === 4) lastTransitionSeconds = readTime(reader, tag);
    else if (field === 5) reason = readShared(reader, tag, interner);
    else skip(reader, tag);
  }
  if (type === 'Ready') node.ready ??= { status, lastTransitionSeconds };
  if (type === 'NetworkUnavailable') node.networkUnavailable ??= { status, reason };
}

/** `NodeSystemInfo`. */
function readNodeInfo(reader: BinaryReader, outerTag: number, node: NodeSoFar): void {
  const end = enter(reader, outerTag);
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === 2) node.systemUUID = readText(reader, tag);
    else if (fieldOf(tag) === 3) node.bootID = readText(reader, tag);
    else skip(reader, tag);
  }
}

function readTaint(reader: BinaryReader, outerTag: number, interner: Interner): Taint {
  let key = '';
  let value = '';
  let effect = '';
  const end = enter(reader, outerTag);
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    const field = fieldOf(tag);
    if (field === 1) key = readShared(reader, tag, interner);
    else if (field === 2) value = readShared(reader, tag, interner);
    else if (field === 3) effect = readShared(reader, tag, interner);
    else skip(reader, tag);
  }
  return { key, value, effect };
}

function readAddress(reader: BinaryReader, tag: number, interner: Interner): NodeAddress {
  const [type, address] = readPair(reader, tag, interner);
  return { type, address };
}

/** A message with two strings: the entry of a map, or a type and an address. */
function readPair(
  reader: BinaryReader,
  outerTag: number,
  interner: Interner,
): [first: string, second: string] {
  let first = '';
  let second = '';
  const end = enter(reader, outerTag);
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === 1) first = readShared(reader, tag, interner);
    else if (fieldOf(tag) === 2) second = readShared(reader, tag, interner);
    else skip(reader, tag);
  }
  return [first, second];
}

/** `Time`: its seconds. */
function readTime(reader: BinaryReader, outerTag: number): number {
  let seconds = 0;
  const end = enter(reader, outerTag);
  for (let tag = nextTag(reader, end); tag !== 0; tag = nextTag(reader, end)) {
    if (fieldOf(tag) === 1) seconds = readInteger(reader, tag);
    else skip(reader, tag);
  }
  return seconds;
}

/** A string that many nodes share, kept once. */
function readShared(reader: BinaryReader, tag: number, interner: Interner): string {
  return interner.intern(readText(reader, tag));
}
