/**
 * Reads the projection of a node from protobuf. The fields and their numbers are in `node-plan.ts`; all
 * others are skipped unread.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Interner } from '../interner.ts';
import { requireFacts } from '../object-reader.ts';
import { sortedPairs } from '../pairs.ts';
import type { WireReader } from '../wire-reader.ts';
import { absent, type Note, WireTape } from '../wire-tape.ts';
import { marks, nodePlan } from './node-plan.ts';
import {
  isKeptAnnotation,
  type NetworkCondition,
  type NodeProjection,
  type ReadyCondition,
  type Taint,
} from './node-projection.ts';
import type { SharedParts } from './shared-parts.ts';

/** Gives a reader of the message that a cursor stands in. */
export function nodesFromProtobuf(shared: SharedParts): (wire: WireReader) => NodeProjection {
  const tape = new WireTape(nodePlan);
  return (wire) => {
    wire.recordOn(tape);
    return readNode(tape, shared);
  };
}

/** One pass over all that was noted, for the reason that the tape itself is one loop. */
function readNode(tape: WireTape, shared: SharedParts): NodeProjection {
  const { texts } = shared;
  let name = '';
  let uid = '';
  let resourceVersion = '';
  let creationTimestampSeconds = 0;
  let deletionTimestampSeconds: number | undefined;
  let providerID = '';
  let unschedulable = false;
  let ready: ReadyCondition | undefined;
  let networkUnavailable: NetworkCondition | undefined;
  let bootID = '';
  let systemUUID = '';
  const labels: string[] = [];
  const annotations: string[] = [];
  const podCIDRs: string[] = [];
  const taints: Taint[] = [];
  const addresses: NodeAddress[] = [];
  // What is known so far of the small message that is noted after its fields.
  const entry: Entry = { one: absent, two: absent, three: absent, four: absent };
  for (let note = 0; note < tape.length; note += 1) {
    const mark = tape.mark(note);
    if (mark === marks.one) entry.one = note;
    else if (mark === marks.two) entry.two = note;
    else if (mark === marks.three) entry.three = note;
    else if (mark === marks.four) entry.four = note;
    else {
      if (mark === marks.label) readPair(tape, entry, texts, labels);
      else if (mark === marks.annotation) {
        if (isKeptAnnotation(tape.sharedText(entry.one, texts))) {
          readPair(tape, entry, texts, annotations);
        }
      } else if (mark === marks.condition) {
        // Of two conditions of one type the first counts, as in JSON.
        const type = tape.sharedText(entry.one, texts);
        if (type === 'Ready') ready ??= readReady(tape, entry, texts);
        if (type === 'NetworkUnavailable') networkUnavailable ??= readNetwork(tape, entry, texts);
      } else if (mark === marks.address) addresses.push(readAddress(tape, entry, texts));
      else if (mark === marks.taint) taints.push(readTaint(tape, entry, texts));
      else if (mark === marks.podCIDR) podCIDRs.push(tape.text(note));
      else if (mark === marks.name) name = tape.sharedText(note, texts);
      else if (mark === marks.uid) uid = tape.text(note);
      else if (mark === marks.resourceVersion) resourceVersion = tape.text(note);
      else if (mark === marks.creation) creationTimestampSeconds = tape.integer(entry.one);
      else if (mark === marks.deletion) deletionTimestampSeconds = tape.integer(entry.one);
      else if (mark === marks.providerID) providerID = tape.text(note);
      else if (mark === marks.unschedulable) unschedulable = tape.integer(note) !== 0;
      else if (mark === marks.bootID) bootID = tape.text(note);
      else if (mark === marks.systemUUID) systemUUID = tape.text(note);
      entry.one = absent;
      entry.two = absent;
      entry.three = absent;
      entry.four = absent;
    }
  }
  // In this order, so that nodes of either encoding have one shape in memory.
  return requireFacts({
    name,
    uid,
    resourceVersion,
    creationTimestampSeconds,
    deletionTimestampSeconds,
    labels: sortedPairs(labels),
    annotations: sortedPairs(annotations),
    providerID,
    podCIDRs: exactly(podCIDRs),
    taints: shared.taints(taints),
    unschedulable,
    addresses: exactly(addresses),
    ready,
    networkUnavailable,
    bootID,
    systemUUID,
  });
}

interface Entry {
  one: Note;
  two: Note;
  three: Note;
  four: Note;
}

function readPair(tape: WireTape, { one, two }: Entry, texts: Interner, into: string[]): void {
  into.push(tape.sharedText(one, texts), tape.sharedText(two, texts));
}

function readTaint(tape: WireTape, { one, two, three }: Entry, texts: Interner): Taint {
  return {
    key: tape.sharedText(one, texts),
    value: tape.sharedText(two, texts),
    effect: tape.sharedText(three, texts),
  };
}

function readAddress(tape: WireTape, { one, two }: Entry, texts: Interner): NodeAddress {
  const type = tape.sharedText(one, texts);
  // A name is in the metadata and in a label, too; an address is nowhere else.
  const isIP = type === 'InternalIP' || type === 'ExternalIP';
  return { type, address: isIP ? tape.text(two) : tape.sharedText(two, texts) };
}

function readReady(tape: WireTape, { two, three }: Entry, texts: Interner): ReadyCondition {
  return { status: tape.sharedText(two, texts), lastTransitionSeconds: tape.integer(three) };
}

function readNetwork(tape: WireTape, { two, four }: Entry, texts: Interner): NetworkCondition {
  return { status: tape.sharedText(two, texts), reason: tape.sharedText(four, texts) };
}

/** A list that grew has room to spare; the copy that is kept has none. */
function exactly<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? none : list.slice();
}

const none: readonly never[] = Object.freeze([]);
