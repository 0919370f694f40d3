export {
  type AccessRule,
  admin,
  anonymous,
  type Attributes,
  describeDenial,
  masters,
  mayDo,
  type User,
} from './access.ts';
