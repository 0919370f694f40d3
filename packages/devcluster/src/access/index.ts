export {
  type AccessRule,
  admin,
  anonymous,
  type Attributes,
  describeDenial,
  everybody,
  masters,
  mayDo,
  type ResourceAttributes,
  type User,
} from './access.ts';
export { type FirstObject, firstPolicy } from './first-policy.ts';
export {
  impersonatedUser,
  type Impersonation,
  impersonationRights,
  isImpersonating,
  readImpersonation,
} from './impersonation.ts';
export { describeRule, type PolicyRule } from './policy-rule.ts';
export { missingRules, rbacGroup, rbacRule, rulesIn, rulesOf, rulesOfRole } from './rbac.ts';
export { TokenBook } from './token-book.ts';
