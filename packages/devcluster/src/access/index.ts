export {
  admin,
  anonymous,
  type Attributes,
  describeDenial,
  masters,
  mayDo,
  type ResourceAttributes,
  type User,
} from './access.ts';
