export { type ApiModel, apiModel, type ConnectOptions } from './api-model.ts';
export type { Change, ObjectMeta, Snapshot, StoredObject } from './store.ts';
