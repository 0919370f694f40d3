/**
 * The rights that `manifests/rendered/rbac.yaml` or another manifest gives. The scenarios run with exactly these, or
 * with a copy that lacks some.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import {
  type AuditEntry,
  type Credentials,
  eventually,
  request,
  requestOk,
} from '../../control-plane/index.ts';

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

/** One verb of one resource, in one namespace or in all. */
interface Right {
  readonly verb: string;
  readonly group: string;
  /** With its subresource, as in `nodes/status`. */
  readonly resource: string;
  readonly namespace: string | undefined;
}

export function readManifest(name = 'rbac.yaml'): ManifestObject[] {
  const file = join(import.meta.dirname, '..', '..', '..', 'manifests', 'rendered', name);
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());
}

/** Every verb that the manifest gives, one by one. */
export function rightsOf(manifest: readonly ManifestObject[]): Right[] {
  return manifest.flatMap(({ metadata: { namespace }, rules = [] }) =>
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => ({ verb, group, resource, namespace })),
        ),
      ),
    ),
  );
}

/** The right that a request needed, by its entry in the audit log. */
export function rightOf({ verb, objectRef }: AuditEntry): Right {
  const { resource = '', subresource, apiGroup = '', namespace } = objectRef ?? {};
  return {
    verb,
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
  };
}

export function describeRight({ verb, resource, group, namespace }: Right): string {
  const full = group === '' ? resource : `${resource}.${group}`;
  return `${verb} ${full}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** A copy of the manifest for a service account of its own, without one rule. */
export function withoutRule(
  manifest: readonly ManifestObject[],
  lacking: { readonly role: string; readonly index: number },
  suffix: string,
): ManifestObject[] {
  const rulesOf = ({ metadata, rules = [] }: ManifestObject): readonly Rule[] =>
    metadata.name === lacking.role ? rules.filter((_, index) => index !== lacking.index) : rules;
  // Roles that every cluster has keep their names.
  const isOurs = (name: string): boolean => manifest.some(({ metadata }) => metadata.name === name);
  const renamed = (name: string): string => (isOurs(name) ? name + suffix : name);
  return manifest.map((object) => ({
    ...object,
    metadata: { ...object.metadata, name: object.metadata.name + suffix },
    ...(object.rules && { rules: rulesOf(object) }),
    ...(object.roleRef && { roleRef: { ...object.roleRef, name: renamed(object.roleRef.name) } }),
    ...(object.subjects && {
      subjects: object.subjects.map((subject) => ({ ...subject, name: subject.name + suffix })),
    }),
  }));
}

/** Creates the objects of the manifest. Existing objects are kept or replaced. */
export async function applyManifest(
  admin: Credentials,
  manifest: readonly ManifestObject[],
  existing: 'keep' | 'replace' = 'keep',
): Promise<void> {
  for (const object of manifest) {
    const path = collectionOf(object);
    const answer = await request(admin, { method: 'POST', path, body: object });
    assert.ok([201, 409].includes(answer.status), answer.text);
    if (answer.status === 201 || existing === 'keep') continue;
    const one = `${path}/${object.metadata.name}`;
    await requestOk(admin, { method: 'PUT', path: one, body: object });
  }
}

/** Creates the objects of the manifest, and returns a token of its service account. */
export async function apply(
  admin: Credentials,
  manifest: readonly ManifestObject[],
): Promise<string> {
  await applyManifest(admin, manifest);
  const account = manifest.find(({ kind }) => kind === 'ServiceAccount');
  assert.ok(account !== undefined, 'the manifest has no service account');
  const { namespace = '', name } = account.metadata;
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const answer = await requestOk(admin, { method: 'POST', path, body: { spec: {} } });
  return JSON.parse(answer.text).status.token;
}

/** Sets the rules of an existing role. */
export async function setRules(
  admin: Credentials,
  role: ManifestObject,
  rules: readonly Rule[],
): Promise<void> {
  await requestOk(admin, {
    method: 'PATCH',
    path: `${collectionOf(role)}/${role.metadata.name}`,
    contentType: 'application/merge-patch+json',
    body: { rules },
  });
}

/** Waits until the authorizer, which learns of roles by a watch, allows or denies the request. */
export async function untilAllowed(
  asker: Credentials,
  { group, resource, verb }: Pick<Right, 'group' | 'resource' | 'verb'>,
  want: 'allowed' | 'denied',
): Promise<void> {
  const [name, subresource] = resource.split('/');
  const resourceAttributes = { group, resource: name, subresource, verb };
  await eventually(async () => {
    const answer = await request(asker, {
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { spec: { resourceAttributes } },
    });
    return JSON.parse(answer.text).status.allowed === (want === 'allowed');
  });
}

/** The path of the collection of the object. */
export function collectionOf({
  apiVersion,
  kind,
  metadata,
}: Pick<ManifestObject, 'apiVersion' | 'kind' | 'metadata'>): string {
  const base = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${base}${scope}/${kind.toLowerCase()}s`;
}
