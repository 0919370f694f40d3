export { type Change, type Collection, stamped } from './collection.ts';
export { type Snapshot, Store } from './store.ts';
export { isStoredObject, keyOf, type ObjectMeta, type StoredObject } from './stored-object.ts';
