export { type Grant, type GrantScope, theLease, type Verb } from './grant.ts';
export { accountsManifest, manifestFor, ownManifest } from './manifest-paths.ts';
export {
  type Account,
  accountNamespace,
  accountsOf,
  type BoundRole,
  type ControllerNeeds,
  managerAccount,
  type Need,
  type Needs,
  rolesFor,
  type Rule,
  verbsOf,
} from './roles.ts';
