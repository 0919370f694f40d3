export { type Change, type Collection, stamped } from './collection.ts';
export { type Snapshot, Store, type StoreListener, type StoreOptions } from './store.ts';
export { isStoredObject, keyOf, type ObjectMeta, type StoredObject } from './stored-object.ts';
