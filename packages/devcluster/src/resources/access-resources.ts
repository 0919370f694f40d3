/** Service accounts, and the roles and bindings that say what users, groups and accounts may do. */
import {
  clusterRole,
  clusterRoleBinding,
  role,
  roleBinding,
  serviceAccount,
} from '../schema/index.ts';
import { bindingColumns, roleColumns, serviceAccountColumns } from './columns.ts';
import { pathSegmentProblems } from './names.ts';
import { ordinary } from './ordinary.ts';
import {
  clusterRoleBindingRules,
  clusterRoleRules,
  roleBindingRules,
  roleRules,
} from './rbac-rules.ts';
import type { Resource } from './resource.ts';
import { serviceAccountRules } from './small-rules.ts';

const serviceAccounts: Resource = {
  ...ordinary,
  resource: 'serviceaccounts',
  singular: 'serviceaccount',
  kind: 'ServiceAccount',
  shortNames: ['sa'],
  schema: serviceAccount,
  collection: 'serviceaccounts',
  subresources: ['token'],
  rules: serviceAccountRules,
  columns: serviceAccountColumns,
};

const policy = {
  ...ordinary,
  group: 'rbac.authorization.k8s.io',
  nameRule: pathSegmentProblems,
} as const;

const roles: Resource = {
  ...policy,
  resource: 'roles',
  singular: 'role',
  kind: 'Role',
  schema: role,
  collection: 'roles',
  rules: roleRules,
  columns: roleColumns,
};

const clusterRoles: Resource = {
  ...policy,
  resource: 'clusterroles',
  singular: 'clusterrole',
  kind: 'ClusterRole',
  scope: 'Cluster',
  schema: clusterRole,
  collection: 'clusterroles',
  rules: clusterRoleRules,
  columns: roleColumns,
};

const roleBindings: Resource = {
  ...policy,
  resource: 'rolebindings',
  singular: 'rolebinding',
  kind: 'RoleBinding',
  schema: roleBinding,
  collection: 'rolebindings',
  rules: roleBindingRules,
  columns: bindingColumns,
};

const clusterRoleBindings: Resource = {
  ...policy,
  resource: 'clusterrolebindings',
  singular: 'clusterrolebinding',
  kind: 'ClusterRoleBinding',
  scope: 'Cluster',
  schema: clusterRoleBinding,
  collection: 'clusterrolebindings',
  rules: clusterRoleBindingRules,
  columns: bindingColumns,
};

export const accessResources: readonly Resource[] = [
  serviceAccounts,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
];
