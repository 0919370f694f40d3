/** Parts of a strategic merge patch that have nothing to be merged with: taken without directives. */
import { isJsonList, isJsonObject, type Json } from '../json/index.ts';

export function withoutDirectives(value: Json): Json {
  if (isJsonList(value)) return value.filter((item) => !isDirected(item)).map(withoutDirectives);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(
    ([key, part]) => !key.startsWith('$') && part !== null,
  );
  return Object.fromEntries(
    entries.map(([key, part]) => [key, part === undefined ? part : withoutDirectives(part)]),
  );
}

/** An item that is nothing but an order to do something with others. */
export function isDirected(item: Json): boolean {
  return isJsonObject(item) && item['$patch'] !== undefined;
}
