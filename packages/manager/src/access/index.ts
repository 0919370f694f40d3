export { type Grant, type GrantScope, onLease, onNodes, theLease, type Verb } from './grant.ts';
export {
  type Account,
  accountsManifest,
  accountNamespace,
  accountsOf,
  type BoundRole,
  type ControllerNeeds,
  managerAccount,
  manifestFor,
  type Need,
  type Needs,
  ownManifest,
  rolesFor,
  type Rule,
  verbsOf,
} from './roles.ts';
