/**
 * The fields of a node that are wanted, by their numbers in k8s.io/api/core/v1 and
 * k8s.io/apimachinery/pkg/apis/meta/v1, which never change once released.
 */
import { type WantedField, WirePlan } from '../wire-tape.ts';

/** What the fields are noted under. */
export const marks = {
  /** The fields of a small message, which is noted after them. */
  one: 1,
  two: 2,
  three: 3,
  name: 4,
  uid: 5,
  resourceVersion: 6,
  creation: 7,
  deletion: 8,
  label: 9,
  annotation: 10,
  providerID: 11,
  unschedulable: 12,
  taint: 13,
  podCIDR: 14,
  condition: 15,
  address: 16,
  bootID: 17,
} as const;

const text = (mark: number): WantedField => ({ kind: 'text', mark });
const number = (mark: number): WantedField => ({ kind: 'number', mark });
const message = (fields: Readonly<Record<number, WantedField>>, mark?: number): WantedField => ({
  kind: 'message',
  plan: new WirePlan(fields),
  ...(mark && { mark }),
});

/** A time: its seconds. */
const time = { 1: number(marks.one) };

/** An entry of a map: its key and its value. */
const pair = { 1: text(marks.one), 2: text(marks.two) };

const metadata = message({
  1: text(marks.name),
  5: text(marks.uid),
  6: text(marks.resourceVersion),
  8: message(time, marks.creation),
  9: message(time, marks.deletion),
  11: message(pair, marks.label),
  12: message(pair, marks.annotation),
});

const spec = message({
  3: text(marks.providerID),
  4: number(marks.unschedulable),
  // Key, value and effect.
  5: message({ 1: text(marks.one), 2: text(marks.two), 3: text(marks.three) }, marks.taint),
  7: text(marks.podCIDR),
});

const status = message({
  // Type, status and the time of its last transition.
  4: message(
    { 1: text(marks.one), 2: text(marks.two), 4: message({ 1: number(marks.three) }) },
    marks.condition,
  ),
  // Type and address.
  5: message({ 1: text(marks.one), 2: text(marks.two) }, marks.address),
  7: message({ 3: text(marks.bootID) }),
});

export const nodePlan: WirePlan = new WirePlan({ 1: metadata, 2: spec, 3: status });
