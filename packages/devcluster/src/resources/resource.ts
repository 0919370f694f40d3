/**
 * What distinguishes the resources of the API: their names, their schemas, and their rules of creation and update.
 * The server handles requests for all of them in the same way.
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
  /** Whether a PUT of a missing object creates it. */
  readonly createsOnUpdate: boolean;
  /** Whether a PUT needs no resourceVersion. */
  readonly updatesUnconditionally: boolean;
  /** How long an object lives after its last write. */
  readonly ttlMs?: number;
  readonly rules: Rules;
  /** The fields that a field selector may name, beside the name and the namespace. */
  readonly selectable: ReadonlyMap<string, (object: StoredObject) => string>;
  readonly columns: readonly Column[];
  /** How this group and version names the fields of the stored form. */
  readonly view?: View;
}

/** The fields whose names differ between the stored form and the view. */
export interface View {
  /** Names in the view, by names in the stored form. */
  readonly shown: ReadonlyMap<string, string>;
  /** Names in the stored form, by names in the view. */
  readonly stored: ReadonlyMap<string, string>;
}

export interface Rules {
  /** Fills in the fields that the server sets, before the object is validated and created. */
  prepareCreate(object: StoredObject): StoredObject;
  validateCreate(object: StoredObject): FieldError[];
  /** Keeps the fields that this kind of update must not change. */
  prepareUpdate(update: Update): StoredObject;
  validateUpdate(update: Update): FieldError[];
}

/** For kinds of which the server sets no field itself. */
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
  /** kubectl shows columns of a priority above 0 on request. */
  readonly priority: 0 | 1;
  /** One column of a table names the object. */
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
