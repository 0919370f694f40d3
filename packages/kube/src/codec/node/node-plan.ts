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
  four: 4,
  name: 5,
  uid: 6,
  resourceVersion: 7,
  creation: 8,
  deletion: 9,
  label: 10,
  annotation: 11,
  providerID: 12,
  unschedulable: 13,
  taint: 14,
  podCIDR: 15,
  condition: 16,
  address: 17,
  bootID: 18,
  systemUUID: 19,
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
  // Type, status, the time of its last transition and the reason.
  4: message(
    {
      1: text(marks.one),
      2: text(marks.two),
      4: message({ 1: number(marks.three) }),
      5: text(marks.four),
    },
    marks.condition,
  ),
  // Type and address.
  5: message({ 1: text(marks.one), 2: text(marks.two) }, marks.address),
  7: message({ 2: text(marks.systemUUID), 3: text(marks.bootID) }),
});

export const nodePlan: WirePlan = new WirePlan({ 1: metadata, 2: spec, 3: status });
