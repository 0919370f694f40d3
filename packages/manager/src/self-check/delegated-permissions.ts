/**
 * The permissions of the secure port: reviews of its callers, and reading the CAs of the cluster. Roles of the cluster
 * give them, so the manifests have only the bindings. A test compares these permissions with the manifests.
 */
import type { AuthenticationSettings } from '@tandem/serving';
import type { Verb } from '../access/index.ts';
import { describeRule, type Permission } from './permissions.ts';

/** Returns the permissions of `--authentication-kubeconfig` or of the pod. */
export function authenticationPermissions(
  settings: AuthenticationSettings,
  manifest: string,
): readonly Permission[] {
  const { skipLookup, tolerateLookupFailure, clientCaFile, requestHeader } = settings;
  const hasFiles = clientCaFile !== undefined && requestHeader.clientCaFile !== undefined;
  const reviews = { ...tokenReviews, manifest };
  if (skipLookup || hasFiles) return [reviews];
  const consequence = tolerateLookupFailure ? noAuthorities : noRotation;
  return [reviews, ...configMapReads.map((read) => ({ ...read, consequence, manifest }))];
}

/** Returns the permissions of `--authorization-kubeconfig` or of the pod. */
export function authorizationPermissions(manifest: string): readonly Permission[] {
  return [{ ...accessReviews, manifest }];
}

const noAuthorities =
  'The secure port ignores client certificates and front proxies of the cluster';
const noRotation = 'The secure port keeps its client CAs and does not notice new ones';

const delegator = {
  role: 'ClusterRole system:auth-delegator',
  binding: 'ClusterRoleBinding tandem:cloud-controller-manager:auth-delegator',
  namespace: undefined,
  name: undefined,
};

const tokenReviews = permission('create', {
  ...delegator,
  group: 'authentication.k8s.io',
  resource: 'tokenreviews',
  consequence: 'The secure port rejects callers with a token, such as Prometheus',
});

const accessReviews = permission('create', {
  ...delegator,
  group: 'authorization.k8s.io',
  resource: 'subjectaccessreviews',
  consequence: 'The secure port rejects all requests other than health checks',
});

const configMapReads = (['get', 'list', 'watch'] as const).map((verb) =>
  permission(verb, {
    group: '',
    resource: 'configmaps',
    namespace: 'kube-system',
    name: 'extension-apiserver-authentication',
    consequence: noRotation,
    role: 'Role kube-system/extension-apiserver-authentication-reader',
    binding: 'RoleBinding kube-system/tandem:cloud-controller-manager:authentication-reader',
  }),
);

function permission(
  verb: Verb,
  facts: Omit<Permission, 'verb' | 'rule' | 'otherGroup' | 'account' | 'manifest'>,
): Omit<Permission, 'manifest'> {
  const rule = describeRule(facts, [verb]);
  return { ...facts, verb, rule, otherGroup: undefined, account: undefined };
}
