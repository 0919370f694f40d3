/**
 * The rules of roles and bindings, as a kube-apiserver has them: a rule names verbs and either
 * resources or paths, a binding names its role once and for all.
 */
import { isEqual, isJsonObject, type Json, listAt, textAt } from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import { type FieldError, invalid, notSupported, required } from './field-error.ts';
import { pathSegmentProblems, subdomainProblems } from './names.ts';
import type { Rules } from './resource.ts';

const group = 'rbac.authorization.k8s.io';

const asItIs = {
  prepareCreate: (object: StoredObject) => object,
  prepareUpdate: ({ next }: { readonly next: StoredObject }) => next,
};

export const clusterRoleRules: Rules = {
  ...asItIs,
  validateCreate: (role) => policyErrors(role, 'Cluster'),
  validateUpdate: ({ next }) => policyErrors(next, 'Cluster'),
};

export const roleRules: Rules = {
  ...asItIs,
  validateCreate: (role) => policyErrors(role, 'Namespaced'),
  validateUpdate: ({ next }) => policyErrors(next, 'Namespaced'),
};

export const roleBindingRules: Rules = bindingRules(['Role', 'ClusterRole']);
export const clusterRoleBindingRules: Rules = bindingRules(['ClusterRole']);

type Scope = 'Cluster' | 'Namespaced';

function policyErrors(role: StoredObject, scope: Scope): FieldError[] {
  return listAt(role, 'rules').flatMap((rule, index) => [
    ...(listAt(rule, 'verbs').length === 0
      ? [required(`rules[${index}].verbs`, 'verbs must contain at least one value')]
      : []),
    ...targetErrors(rule, `rules[${index}]`, scope),
  ]);
}

function targetErrors(rule: Json, field: string, scope: Scope): FieldError[] {
  const urls = listAt(rule, 'nonResourceURLs');
  const missing = (name: string, what: string): FieldError[] =>
    listAt(rule, name).length > 0
      ? []
      : [required(`${field}.${name}`, `resource rules must supply at least one ${what}`)];
  if (urls.length === 0) {
    return [...missing('apiGroups', 'api group'), ...missing('resources', 'resource')];
  }
  const isAboutResources = ['apiGroups', 'resources', 'resourceNames'].some(
    (name) => listAt(rule, name).length > 0,
  );
  const problems = [
    ...(scope === 'Namespaced' ? ['namespaced rules cannot apply to non-resource URLs'] : []),
    ...(isAboutResources
      ? ['rules cannot apply to both regular resources and non-resource URLs']
      : []),
  ];
  return problems.map((problem) => invalid(`${field}.nonResourceURLs`, urls, problem));
}

function bindingRules(kinds: readonly string[]): Rules {
  const errorsOf = (binding: StoredObject): FieldError[] => [
    ...roleRefErrors(binding, kinds),
    ...listAt(binding, 'subjects').flatMap((subject, index) =>
      subjectErrors(subject, `subjects[${index}]`),
    ),
  ];
  return {
    prepareCreate: withGroups,
    validateCreate: errorsOf,
    prepareUpdate: ({ next }) => withGroups(next),
    validateUpdate: ({ next, current }) => [
      ...errorsOf(next),
      ...(isEqual(next['roleRef'], current['roleRef'])
        ? []
        : [invalid('roleRef', next['roleRef'] ?? null, 'cannot change roleRef')]),
    ],
  };
}

/** Where no group is given there is only one that can be meant. */
function withGroups(binding: StoredObject): StoredObject {
  const { roleRef } = binding;
  const isGiven = !isJsonObject(roleRef) || textAt(roleRef, 'apiGroup') !== '';
  return {
    ...binding,
    ...(binding['subjects'] === undefined
      ? {}
      : { subjects: listAt(binding, 'subjects').map(subjectWithGroup) }),
    roleRef: isGiven ? roleRef : { ...roleRef, apiGroup: group },
  };
}

function subjectWithGroup(subject: Json): Json {
  const isOfGroup = ['User', 'Group'].includes(textAt(subject, 'kind'));
  if (!isJsonObject(subject) || !isOfGroup || textAt(subject, 'apiGroup') !== '') return subject;
  return { ...subject, apiGroup: group };
}

function roleRefErrors({ roleRef }: StoredObject, kinds: readonly string[]): FieldError[] {
  const [apiGroup = '', kind = '', name = ''] = ['apiGroup', 'kind', 'name'].map((field) =>
    textAt(roleRef, field),
  );
  return [
    ...(apiGroup === group ? [] : [notSupported('roleRef.apiGroup', apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === ''
      ? [required('roleRef.name')]
      : pathSegmentProblems(name).map((problem) => invalid('roleRef.name', name, problem))),
  ];
}

function subjectErrors(subject: Json, field: string): FieldError[] {
  const name = textAt(subject, 'name');
  const apiGroup = textAt(subject, 'apiGroup');
  const unnamed = name === '' ? [required(`${field}.name`)] : [];
  const wrongGroup = (wanted: string): FieldError[] =>
    apiGroup === wanted ? [] : [notSupported(`${field}.apiGroup`, apiGroup, [wanted])];
  const kind = textAt(subject, 'kind');
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...unnamed,
        ...(name === ''
          ? []
          : subdomainProblems(name).map((problem) => invalid(`${field}.name`, name, problem))),
        ...wrongGroup(''),
        ...(textAt(subject, 'namespace') === '' ? [required(`${field}.namespace`)] : []),
      ];
    case 'User':
    case 'Group':
      return [...unnamed, ...wrongGroup(group)];
    default:
      return [...unnamed, notSupported(`${field}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}
