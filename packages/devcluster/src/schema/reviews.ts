/** Reviews: a client asks the API server who it is and what it may do. Nothing is stored. */
import { kindOf } from './meta.ts';
import {
  always,
  anything,
  flag,
  listOf,
  mapOf,
  objectOf,
  type ObjectSchema,
  text,
} from './schema.ts';

const authentication = 'io.k8s.api.authentication.v1';
const authorization = 'io.k8s.api.authorization.v1';

const userInfo = objectOf(`${authentication}.UserInfo`, {
  username: text,
  uid: text,
  groups: listOf(text),
  extra: mapOf(listOf(text)),
});

export const selfSubjectReview: ObjectSchema = kindOf(`${authentication}.SelfSubjectReview`, {
  status: always(
    objectOf(`${authentication}.SelfSubjectReviewStatus`, { userInfo: always(userInfo, {}) }),
    { userInfo: {} },
  ),
});

const resourceAttributes = objectOf(`${authorization}.ResourceAttributes`, {
  namespace: text,
  verb: text,
  group: text,
  version: text,
  resource: text,
  subresource: text,
  name: text,
  fieldSelector: anything,
  labelSelector: anything,
});

const nonResourceAttributes = objectOf(`${authorization}.NonResourceAttributes`, {
  path: text,
  verb: text,
});

const attributes = { resourceAttributes, nonResourceAttributes };

const reviewStatus = always(
  objectOf(`${authorization}.SubjectAccessReviewStatus`, {
    allowed: always(flag, false),
    denied: flag,
    reason: text,
    evaluationError: text,
  }),
  { allowed: false },
);

export const selfSubjectAccessReview: ObjectSchema = kindOf(
  `${authorization}.SelfSubjectAccessReview`,
  {
    spec: always(objectOf(`${authorization}.SelfSubjectAccessReviewSpec`, attributes), {}),
    status: reviewStatus,
  },
);
