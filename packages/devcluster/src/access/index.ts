export {
  type AccessRule,
  admin,
  anonymous,
  type Attributes,
  describeDenial,
  firstAccess,
  masters,
  mayDo,
  type ResourceAttributes,
  type User,
} from './access.ts';
