/** Reviews: questions about whose token it is and what a user may do. Nothing is stored. */
import { type Attributes, mayDo, type User } from '../access/index.ts';
import {
  at,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  textAt,
  textsAt,
} from '../json/index.ts';
import { invalid } from '../resources/index.ts';
import {
  formatTime,
  type ObjectSchema,
  selfSubjectAccessReview,
  selfSubjectReview,
  subjectAccessReview,
  tokenReview,
} from '../schema/index.ts';
import { refuse, refusals } from './refusal.ts';
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
    resource: 'tokenreviews',
    singular: 'tokenreview',
    kind: 'TokenReview',
    schema: tokenReview,
    answer: reviewToken,
  },
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
    resource: 'subjectaccessreviews',
    singular: 'subjectaccessreview',
    kind: 'SubjectAccessReview',
    schema: subjectAccessReview,
    answer: (context, question) => reviewAccess(context, question, subjectOf(question)),
  },
  {
    ...authorization,
    resource: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
    kind: 'SelfSubjectAccessReview',
    schema: selfSubjectAccessReview,
    answer: (context, question, user) => reviewAccess(context, question, user),
  },
];

/** The review that a path names. */
export function findReview(path: string): Review | undefined {
  return byPath.get(path);
}

const byPath: ReadonlyMap<string, Review> = new Map(
  reviews.map((review) => [`/apis/${review.group}/${review.version}/${review.resource}`, review]),
);

function reviewToken(context: ApiContext, question: JsonObject): JsonObject {
  const token = textAt(question, 'spec', 'token');
  if (token === '') {
    return refuse(refusals.badRequest('token is required for TokenReview in authentication'));
  }
  return { metadata: {}, spec: at(question, 'spec') ?? {}, status: tokenStatus(context, question) };
}

/** Whom the tokens of this server are for. */
const audience = 'https://kubernetes.default.svc';

/** Who asks for others than this server is told that the token is not for them. */
function tokenStatus(context: ApiContext, question: JsonObject): JsonObject {
  const user = context.tokens.get(textAt(question, 'spec', 'token'));
  if (user === undefined) return { user: {}, error: 'invalid bearer token' };
  const audiences = textsAt(question, 'spec', 'audiences');
  if (audiences.length === 0) return { authenticated: true, user: userInfo(user) };
  if (!audiences.includes(audience)) return { user: {}, error: 'token audiences are not valid' };
  return { authenticated: true, user: userInfo(user), audiences: [audience] };
}

function reviewAccess(context: ApiContext, question: JsonObject, user: User): JsonObject {
  const attributes = attributesOf(question);
  const isAllowed = mayDo(user, attributes, context.accessRule);
  return { metadata: {}, spec: at(question, 'spec') ?? {}, status: { allowed: isAllowed } };
}

function subjectOf(question: JsonObject): User {
  const name = textAt(question, 'spec', 'user');
  const groups = listAt(question, 'spec', 'groups').map(String);
  if (name === '' && groups.length === 0) {
    refuseField('spec.user', '', 'at least one of user or group must be specified');
  }
  return { name, groups };
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
