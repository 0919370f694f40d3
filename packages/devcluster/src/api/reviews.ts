/** Reviews, by which `kubectl auth` asks who the user is and what the user may do. Nothing is stored. */
import { type Attributes, mayDo, type User } from '../access/index.ts';
import { at, isJsonObject, type Json, type JsonObject, textAt } from '../json/index.ts';
import { invalid } from '../resources/index.ts';
import {
  formatTime,
  type ObjectSchema,
  selfSubjectAccessReview,
  selfSubjectReview,
} from '../schema/index.ts';
import { refuse } from './refusal.ts';
import type { ApiContext } from './api-context.ts';

export interface Review {
  readonly group: string;
  readonly version: 'v1';
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  readonly answer: (context: ApiContext, question: JsonObject, user: User) => JsonObject;
}

const authentication = { group: 'authentication.k8s.io', version: 'v1' } as const;
const authorization = { group: 'authorization.k8s.io', version: 'v1' } as const;

export const reviews: readonly Review[] = [
  {
    ...authentication,
    resource: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
    kind: 'SelfSubjectReview',
    schema: selfSubjectReview,
    answer: ({ clock }, _, user) => ({
      metadata: { creationTimestamp: formatTime(clock.now()) },
      status: { userInfo: userInfo(user) },
    }),
  },
  {
    ...authorization,
    resource: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
    kind: 'SelfSubjectAccessReview',
    schema: selfSubjectAccessReview,
    answer: (_, question, user) => reviewAccess(question, user),
  },
];

/** The review that a path names. */
export function findReview(path: string): Review | undefined {
  return byPath.get(path);
}

const byPath: ReadonlyMap<string, Review> = new Map(
  reviews.map((review) => [`/apis/${review.group}/${review.version}/${review.resource}`, review]),
);

function reviewAccess(question: JsonObject, user: User): JsonObject {
  const isAllowed = mayDo(user, attributesOf(question));
  return { metadata: {}, spec: at(question, 'spec') ?? {}, status: { allowed: isAllowed } };
}

function attributesOf(question: JsonObject): Attributes {
  const resource = at(question, 'spec', 'resourceAttributes');
  const path = at(question, 'spec', 'nonResourceAttributes');
  if (isJsonObject(resource) === isJsonObject(path)) {
    refuseField(
      'spec.resourceAttributes',
      resource ?? null,
      'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    );
  }
  if (isJsonObject(path)) {
    return { kind: 'path', verb: textAt(path, 'verb'), path: textAt(path, 'path') };
  }
  return {
    kind: 'resource',
    verb: textAt(resource, 'verb'),
    group: textAt(resource, 'group'),
    resource: textAt(resource, 'resource'),
    subresource: textAt(resource, 'subresource'),
    namespace: textAt(resource, 'namespace'),
    name: textAt(resource, 'name'),
  };
}

function refuseField(field: string, value: Json, problem: string): void {
  const { reason, message } = invalid(field, value, problem);
  const group = authorization.group;
  refuse({
    code: 422,
    reason: 'Invalid',
    message: `.${group} "" is invalid: ${field}: ${message}`,
    details: { group, causes: [{ reason, message, field }] },
  });
}

function userInfo({ name, groups }: User): JsonObject {
  return { username: name, groups };
}
