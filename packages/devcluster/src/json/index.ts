export { applyJsonPatch, readOperations } from './json-patch.ts';
export { applyMergePatch } from './merge-patch.ts';
export {
  at,
  isJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonList,
  type JsonObject,
  listAt,
  textAt,
  textsAt,
  without,
} from './json.ts';
export { nestingDepth } from './nesting-depth.ts';
export { isEqual, reuse } from './reuse.ts';
