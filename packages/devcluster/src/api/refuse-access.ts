/** Refuses a request and says which right the client lacks. */
import { type Attributes, describeDenial, type User } from '../access/index.ts';
import { refuse, refusals } from './refusal.ts';

export function refuseAccess(user: User, attributes: Attributes): never {
  const details =
    attributes.kind === 'path'
      ? {}
      : {
          ...(attributes.name === '' ? {} : { name: attributes.name }),
          ...(attributes.group === '' ? {} : { group: attributes.group }),
          kind: attributes.resource,
        };
  return refuse(refusals.forbidden(describeDenial(user, attributes), details));
}
