export {
  describeErrors,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  tooLong,
} from './field-error.ts';
export { validateMeta, validateMetaUpdate } from './object-meta.ts';
export { apiVersionOf, qualifiedKind, qualifiedResource, type Resource } from './resource.ts';
export { resources } from './resources.ts';
export { shown, storedForm, viewed } from './view.ts';
