/**
 * Reads the projection of a node from protobuf. The numbers are those of the fields in
 * k8s.io/api/core/v1 and k8s.io/apimachinery/pkg/apis/meta/v1; all others are skipped unread.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Interner } from '../interner.ts';
import { requireFacts } from '../object-reader.ts';
import { sortedPairs } from '../pairs.ts';
import type { WireReader } from '../wire-reader.ts';
import {
  isKeptAnnotation,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';
import type { SharedParts } from './shared-parts.ts';

/** Reads the message that the cursor stands in. */
export function nodeFromProtobuf(wire: WireReader, shared: SharedParts): NodeProjection {
  const interner = shared.texts;
  let metadata: Metadata = noMetadata;
  let spec: Spec = noSpec;
  let status: Status = noStatus;
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) metadata = readMetadata(wire, interner);
    else if (field === 2) spec = readSpec(wire, shared);
    else if (field === 3) status = readStatus(wire, interner);
    else wire.skip();
  }
  // Written out, so that nodes of either encoding have one shape in memory.
  return requireFacts({
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    creationTimestampSeconds: metadata.creationTimestampSeconds,
    deletionTimestampSeconds: metadata.deletionTimestampSeconds,
    labels: metadata.labels,
    annotations: metadata.annotations,
    providerID: spec.providerID,
    podCIDRs: spec.podCIDRs,
    taints: spec.taints,
    unschedulable: spec.unschedulable,
    addresses: status.addresses,
    ready: status.ready,
    bootID: status.bootID,
  });
}

type Metadata = Pick<
  NodeProjection,
  | 'name'
  | 'uid'
  | 'resourceVersion'
  | 'creationTimestampSeconds'
  | 'deletionTimestampSeconds'
  | 'labels'
  | 'annotations'
>;

function readMetadata(wire: WireReader, interner: Interner): Metadata {
  let { name, uid, resourceVersion, creationTimestampSeconds } = noMetadata;
  let { deletionTimestampSeconds } = noMetadata;
  const labels: string[] = [];
  const annotations: string[] = [];
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) name = wire.sharedText(interner);
    else if (field === 5) uid = wire.text();
    else if (field === 6) resourceVersion = wire.text();
    else if (field === 8) creationTimestampSeconds = readSeconds(wire);
    else if (field === 9) deletionTimestampSeconds = readSeconds(wire);
    else if (field === 11) readPair(wire, interner, labels, everyKey);
    else if (field === 12) readPair(wire, interner, annotations, isKeptAnnotation);
    else wire.skip();
  }
  wire.leave(outerEnd);
  return {
    name,
    uid,
    resourceVersion,
    creationTimestampSeconds,
    deletionTimestampSeconds,
    labels: sortedPairs(labels),
    annotations: sortedPairs(annotations),
  };
}

const everyKey = (): boolean => true;

/** An entry of a map. Nothing more of it is read once its key turns out not to be kept. */
function readPair(
  wire: WireReader,
  interner: Interner,
  into: string[],
  isKept: (key: string) => boolean,
): void {
  let key = '';
  let value = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) {
      key = wire.sharedText(interner);
      if (!isKept(key)) break;
    } else if (field === 2) value = wire.sharedText(interner);
    else wire.skip();
  }
  wire.leave(outerEnd);
  if (isKept(key)) into.push(key, value);
}

type Spec = Pick<NodeProjection, 'providerID' | 'podCIDRs' | 'taints' | 'unschedulable'>;

function readSpec(wire: WireReader, shared: SharedParts): Spec {
  let { providerID, unschedulable } = noSpec;
  const podCIDRs: string[] = [];
  const taints: Taint[] = [];
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 3) providerID = wire.text();
    else if (field === 4) unschedulable = wire.boolean();
    else if (field === 5) taints.push(readTaint(wire, shared.texts));
    else if (field === 7) podCIDRs.push(wire.text());
    else wire.skip();
  }
  wire.leave(outerEnd);
  return { providerID, podCIDRs: exactly(podCIDRs), taints: shared.taints(taints), unschedulable };
}

function readTaint(wire: WireReader, interner: Interner): Taint {
  let key = '';
  let value = '';
  let effect = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) key = wire.sharedText(interner);
    else if (field === 2) value = wire.sharedText(interner);
    else if (field === 3) effect = wire.sharedText(interner);
    else wire.skip();
  }
  wire.leave(outerEnd);
  return { key, value, effect };
}

type Status = Pick<NodeProjection, 'addresses' | 'ready' | 'bootID'>;

function readStatus(wire: WireReader, interner: Interner): Status {
  let { ready, bootID } = noStatus;
  const addresses: NodeAddress[] = [];
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    // Of two conditions called Ready the first counts, as in JSON; each has to be read past.
    if (field === 4) {
      const found = readIfReady(wire, interner);
      ready ??= found;
    } else if (field === 5) addresses.push(readAddress(wire, interner));
    else if (field === 7) bootID = readBootID(wire);
    else wire.skip();
  }
  wire.leave(outerEnd);
  return { addresses: exactly(addresses), ready, bootID };
}

function readAddress(wire: WireReader, interner: Interner): NodeAddress {
  let type = '';
  let address = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) type = wire.sharedText(interner);
    // A name is in the metadata and in a label, too; an address is nowhere else.
    else if (field === 2) address = isIP(type) ? wire.text() : wire.sharedText(interner);
    else wire.skip();
  }
  wire.leave(outerEnd);
  return { type, address };
}

function isIP(type: string): boolean {
  return type === 'InternalIP' || type === 'ExternalIP';
}

/** Nothing more of a condition is read once it turns out to be another one. */
function readIfReady(wire: WireReader, interner: Interner): ReadyCondition | undefined {
  let isReady = false;
  let status = '';
  let lastTransitionSeconds = 0;
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) {
      isReady = wire.isText('Ready');
      if (!isReady) break;
    } else if (field === 2) status = wire.sharedText(interner);
    else if (field === 4) lastTransitionSeconds = readSeconds(wire);
    else wire.skip();
  }
  wire.leave(outerEnd);
  return isReady ? { status, lastTransitionSeconds } : undefined;
}

function readBootID(wire: WireReader): string {
  let bootID = '';
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 3) bootID = wire.text();
    else wire.skip();
  }
  wire.leave(outerEnd);
  return bootID;
}

function readSeconds(wire: WireReader): number {
  let seconds = 0;
  const outerEnd = wire.enter();
  for (let field = wire.next(); field !== 0; field = wire.next()) {
    if (field === 1) seconds = wire.integer();
    else wire.skip();
  }
  wire.leave(outerEnd);
  return seconds;
}

/** A list that grew has room to spare; the copy that is kept has none. */
function exactly<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

const none: readonly never[] = Object.freeze([]);

const noMetadata: Metadata = {
  name: '',
  uid: '',
  resourceVersion: '',
  creationTimestampSeconds: 0,
  deletionTimestampSeconds: undefined,
  labels: none,
  annotations: none,
};
const noSpec: Spec = { providerID: '', podCIDRs: none, taints: none, unschedulable: false };
const noStatus: Status = { addresses: none, ready: undefined, bootID: '' };
