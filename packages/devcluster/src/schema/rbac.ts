/** Roles, their bindings, and the accounts of programs. */
import { kindOf } from './meta.ts';
import {
  always,
  anything,
  flag,
  int64,
  listOf,
  objectOf,
  type ObjectSchema,
  pointer,
  text,
  time,
} from './schema.ts';

const rbac = 'io.k8s.api.rbac.v1';

const policyRule = objectOf(`${rbac}.PolicyRule`, {
  verbs: always(listOf(text), null),
  apiGroups: listOf(text),
  resources: listOf(text),
  resourceNames: listOf(text),
  nonResourceURLs: listOf(text),
});

const roleRef = objectOf(`${rbac}.RoleRef`, {
  apiGroup: always(text, ''),
  kind: always(text, ''),
  name: always(text, ''),
});

const subject = objectOf(`${rbac}.Subject`, {
  kind: always(text, ''),
  apiGroup: text,
  name: always(text, ''),
  namespace: text,
});

const rules = always(listOf(policyRule), null);
const bound = {
  subjects: listOf(subject),
  roleRef: always(roleRef, { apiGroup: '', kind: '', name: '' }),
};

export const role: ObjectSchema = kindOf(`${rbac}.Role`, { rules });

export const clusterRole: ObjectSchema = kindOf(`${rbac}.ClusterRole`, {
  rules,
  aggregationRule: anything,
});

export const roleBinding: ObjectSchema = kindOf(`${rbac}.RoleBinding`, bound);

export const clusterRoleBinding: ObjectSchema = kindOf(`${rbac}.ClusterRoleBinding`, bound);

export const serviceAccount: ObjectSchema = kindOf('io.k8s.api.core.v1.ServiceAccount', {
  secrets: listOf(anything),
  imagePullSecrets: listOf(anything),
  automountServiceAccountToken: pointer(flag),
});

const authentication = 'io.k8s.api.authentication.v1';

export const tokenRequest: ObjectSchema = kindOf(`${authentication}.TokenRequest`, {
  spec: always(
    objectOf(`${authentication}.TokenRequestSpec`, {
      audiences: always(listOf(text), null),
      expirationSeconds: pointer(int64),
      boundObjectRef: anything,
    }),
    {},
  ),
  status: objectOf(`${authentication}.TokenRequestStatus`, {
    token: text,
    expirationTimestamp: time,
  }),
});
