/**
 * The order of a list after a strategic merge: items that the patch names keep the order of the patch, all others
 * keep their old order, and the two are interleaved by their positions in the old list.
 */
import { isEqual, isJsonObject, type Json, type JsonList } from '../json/index.ts';

export interface Order {
  /** The merge key of the items; empty for lists of strings and numbers. */
  readonly key: string;
  /** The items of the patch, or of its `$setElementOrder`. */
  readonly named: JsonList;
  /** The old list. */
  readonly known: JsonList;
}

export function inOrder(list: JsonList, { key, named, known }: Order): JsonList {
  const placeIn = (items: JsonList, item: Json): number =>
    items.findIndex((other) => isEqual(identityOf(other, key), identityOf(item, key)));
  const sorted = (items: JsonList, order: JsonList): Json[] =>
    items.toSorted((a, b) => placeIn(order, a) - placeIn(order, b));
  const right = sorted(
    list.filter((item) => placeIn(named, item) >= 0),
    named,
  );
  const left = sorted(
    list.filter((item) => placeIn(named, item) < 0),
    known,
  );
  const result: Json[] = [];
  for (const item of right) {
    const place = placeIn(known, item);
    const preceding = left.findIndex((other) => !isBefore(placeIn(known, other), place));
    result.push(...left.splice(0, preceding < 0 ? left.length : preceding), item);
  }
  return [...result, ...left];
}

/** An item that is new has no position in the old list. */
function isBefore(place: number, other: number): boolean {
  return place >= 0 && other >= 0 && place < other;
}

function identityOf(item: Json, key: string): Json {
  return key !== '' && isJsonObject(item) ? (item[key] ?? null) : item;
}
