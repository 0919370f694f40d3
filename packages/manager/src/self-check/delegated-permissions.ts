/**
 * What the program needs beyond the rules of its own role: to ask about the visitors of the secure port, to
 * read whom the cluster vouches for, and to get tokens of the controllers' account. Each has the binding
 * that gives it; a test holds these and the manifests together.
 */
import { accountManifest, type AccountName } from '../controller-account/index.ts';
import type { AuthenticationSettings } from '../serving/index.ts';
import { manifestPath, type Verb } from './grants.ts';
import type { Permission } from './permissions.ts';

/** With `--authentication-kubeconfig` or as the pod. */
export function authenticationPermissions(settings: AuthenticationSettings): readonly Permission[] {
  const { skipLookup, tolerateLookupFailure, clientCaFile, requestHeader } = settings;
  const hasFiles = clientCaFile !== undefined && requestHeader.clientCaFile !== undefined;
  if (skipLookup || hasFiles) return [tokenReviews];
  const consequence = tolerateLookupFailure ? noAuthorities : noRotation;
  return [tokenReviews, ...configMapReads.map((read) => ({ ...read, consequence }))];
}

/** With `--authorization-kubeconfig` or as the pod. */
export function authorizationPermissions(): readonly Permission[] {
  return [accessReviews];
}

/** With `--use-service-account-credentials`: of the manager itself, for the account of the controllers. */
export function tokenPermission({ namespace, name }: AccountName): Permission {
  return permission('create', {
    group: '',
    resource: 'serviceaccounts/token',
    namespace,
    name,
    consequence: 'The controllers have no identity, so that no node is written to',
    role: `Role ${namespace}/tandem:cloud-controller-manager:controller-account`,
    binding: `RoleBinding ${namespace}/tandem:cloud-controller-manager:controller-account`,
    manifest: accountManifest,
  });
}

const noAuthorities =
  'Client certificates and front proxies of the cluster count for nothing on the secure port';
const noRotation = 'The secure port goes on with the authorities of clients that it has';

const delegator = {
  role: 'ClusterRole system:auth-delegator',
  binding: 'ClusterRoleBinding tandem:cloud-controller-manager:auth-delegator',
  manifest: manifestPath,
  namespace: undefined,
  name: undefined,
};

const tokenReviews = permission('create', {
  ...delegator,
  group: 'authentication.k8s.io',
  resource: 'tokenreviews',
  consequence: 'Nobody gets in at the secure port with a token, Prometheus for instance',
});

const accessReviews = permission('create', {
  ...delegator,
  group: 'authorization.k8s.io',
  resource: 'subjectaccessreviews',
  consequence: 'Whoever asks the secure port for more than its health is refused',
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
    manifest: manifestPath,
  }),
);

function permission(
  verb: Verb,
  facts: Omit<Permission, 'verb' | 'rule' | 'otherGroup' | 'account'>,
): Permission {
  const { group, resource, name } = facts;
  const names = name === undefined ? '' : ` resourceNames: [${name}],`;
  const rule = `{apiGroups: ['${group}'], resources: [${resource}],${names} verbs: [${verb}]}`;
  return { ...facts, verb, rule, otherGroup: undefined, account: undefined };
}
