export { type Decoded, decode } from './decode.ts';
export { deleteOptions } from './delete-options.ts';
export { coreEvent, event, renamedFields } from './event.ts';
export { node } from './node.ts';
export { openApiOf } from './open-api.ts';
export { readProtobuf } from './protobuf.ts';
export { quantityValue } from './quantity.ts';
export {
  selfSubjectAccessReview,
  selfSubjectReview,
  subjectAccessReview,
  tokenReview,
} from './reviews.ts';
export type { ObjectSchema, Schema } from './schema.ts';
export { configMap, lease, namespace, pod, service } from './small-kinds.ts';
export { applyStrategicMerge } from './strategic-merge.ts';
export { StrategicMergeError } from './strategic-merge-error.ts';
export { formatMicroTime, formatTime } from './timestamps.ts';
