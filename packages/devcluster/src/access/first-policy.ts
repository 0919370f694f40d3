/**
 * The roles and bindings that a cluster has from its first moment: those of Kubernetes by which
 * everybody may ask what there is and what they may do, and those that manifests of controllers bind
 * to. A cluster of people has many more; nothing here is bound to them.
 */
import type { JsonObject } from '../json/index.ts';
import { everybody, masters } from './access.ts';
import { rbacGroup } from './rbac.ts';

/** An object to be stored, but for what only the store of a cluster knows. */
export interface FirstObject {
  readonly collection: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly body: JsonObject;
}

const get = ['get'];
const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
const discovery = ['/api', '/api/*', '/apis', '/apis/*', '/openapi', '/openapi/*', ...health];

export const firstPolicy: readonly FirstObject[] = [
  clusterRole('cluster-admin', [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]),
  clusterRole('system:discovery', [{ verbs: get, nonResourceURLs: discovery }]),
  clusterRole('system:public-info-viewer', [{ verbs: get, nonResourceURLs: health }]),
  clusterRole('system:basic-user', [
    {
      verbs: ['create'],
      apiGroups: ['authorization.k8s.io'],
      resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
    },
    {
      verbs: ['create'],
      apiGroups: ['authentication.k8s.io'],
      resources: ['selfsubjectreviews'],
    },
  ]),
  clusterRole('system:auth-delegator', [
    { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
    { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'] },
  ]),
  binding('cluster-admin', [masters]),
  binding('system:discovery', [everybody.authenticated]),
  binding('system:public-info-viewer', [everybody.authenticated, everybody.unauthenticated]),
  binding('system:basic-user', [everybody.authenticated]),
  {
    collection: 'roles',
    metadata: { name: 'extension-apiserver-authentication-reader', namespace: 'kube-system' },
    body: {
      rules: [
        {
          verbs: ['get', 'list', 'watch'],
          apiGroups: [''],
          resources: ['configmaps'],
          resourceNames: ['extension-apiserver-authentication'],
        },
      ],
    },
  },
];

function clusterRole(name: string, rules: readonly JsonObject[]): FirstObject {
  return { collection: 'clusterroles', metadata: { name }, body: { rules } };
}

/** Of a cluster role, to groups, under the name of the role. */
function binding(name: string, groups: readonly string[]): FirstObject {
  const subjects = groups.map((group) => ({ kind: 'Group', apiGroup: rbacGroup, name: group }));
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name };
  return { collection: 'clusterrolebindings', metadata: { name }, body: { subjects, roleRef } };
}
