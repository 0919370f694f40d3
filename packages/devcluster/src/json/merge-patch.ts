/** Merge patches (RFC 7386): null removes, objects merge, anything else replaces. */
import { isJsonObject, type Json } from './json.ts';

export function applyMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, Json | undefined> = { ...(isJsonObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key];
    else result[key] = merged(isJsonObject(target) ? target[key] : undefined, value);
  }
  return result;
}

/** A value that is not an object replaces the old one as it is, without a copy. */
function merged(target: Json | undefined, patch: Json): Json {
  return isJsonObject(patch) ? applyMergePatch(target, patch) : patch;
}
