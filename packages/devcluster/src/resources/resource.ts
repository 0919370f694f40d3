/**
 * What makes one resource of the API different from another: its names, its schema, and its rules of
 * creation and update. How requests are served is the same for all.
 */
import type { ObjectSchema } from '../schema/index.ts';
import type { StoredObject } from '../store/index.ts';
import type { FieldError } from './field-error.ts';
import type { NameRule } from './object-meta.ts';

export interface Resource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural in paths: `nodes`. */
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly verbs: readonly string[];
  readonly schema: ObjectSchema;
  /** The collection of the store; two views of the same objects share one. */
  readonly collection: string;
  readonly nameRule: NameRule;
  readonly subresources: readonly 'status'[];
  /** Whether a PUT of something that is not there creates it. */
  readonly createsOnUpdate: boolean;
  /** Whether a PUT needs no resourceVersion. */
  readonly updatesUnconditionally: boolean;
  /** How long an object lives after its last write. */
  readonly ttlMs?: number;
  readonly rules: Rules;
  /** What a field selector may name, beside the name and the namespace. */
  readonly selectable: ReadonlyMap<string, (object: StoredObject) => string>;
  readonly columns: readonly Column[];
  /** How the stored form looks in this group and version, and back. */
  readonly view?: View;
}

/** Names of fields that differ; what has the same name in both forms is in neither. */
export interface View {
  /** How fields of the stored form are called in this view. */
  readonly shown: ReadonlyMap<string, string>;
  /** And back. */
  readonly stored: ReadonlyMap<string, string>;
}

export interface Rules {
  /** Fills in what the server decides, before an object is validated and created. */
  prepareCreate(object: StoredObject): StoredObject;
  validateCreate(object: StoredObject): FieldError[];
  /** Keeps what this kind of update must not touch. */
  prepareUpdate(update: Update): StoredObject;
  validateUpdate(update: Update): FieldError[];
}

/** For a kind of which the server decides nothing itself. */
export const unprepared: Pick<Rules, 'prepareCreate' | 'prepareUpdate'> = {
  prepareCreate: (object) => object,
  prepareUpdate: ({ next }) => next,
};

export interface Update {
  readonly next: StoredObject;
  readonly current: StoredObject;
  readonly subresource: 'status' | undefined;
}

export interface Column {
  readonly name: string;
  readonly description: string;
  /** Columns of a priority above 0 are shown on request. */
  readonly priority: 0 | 1;
  /** One of them names the object. */
  readonly isName?: true;
  cell(object: StoredObject, nowMs: number): string | number;
}

/** `leases.coordination.k8s.io`, or `nodes`. */
export function qualifiedResource({ group, resource }: Resource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Lease.coordination.k8s.io`, or `Node`. */
export function qualifiedKind({ group, kind }: Resource): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** `v1`, or `coordination.k8s.io/v1`. */
export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}
