/** What most resources have in common. */
import { subdomainProblems } from './names.ts';
import type { Resource } from './resource.ts';

export const allVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

const nothing: Resource['selectable'] = new Map();

export const ordinary: Pick<
  Resource,
  | 'group'
  | 'version'
  | 'shortNames'
  | 'scope'
  | 'verbs'
  | 'nameRule'
  | 'subresources'
  | 'createsOnUpdate'
  | 'updatesUnconditionally'
  | 'selectable'
> = {
  group: '',
  version: 'v1',
  shortNames: [],
  scope: 'Namespaced',
  verbs: allVerbs,
  nameRule: subdomainProblems,
  subresources: [],
  createsOnUpdate: false,
  updatesUnconditionally: true,
  selectable: nothing,
};
