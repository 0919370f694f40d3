export { type Grant, onLease, onNodes, theLease, type Verb } from './grant.ts';
export {
  accountsManifest,
  accountNamespace,
  accountsOf,
  type BoundRole,
  managerAccount,
  manifestFor,
  type Need,
  ownManifest,
  rolesFor,
  type Rule,
} from './roles.ts';
