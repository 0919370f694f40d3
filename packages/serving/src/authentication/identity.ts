/** A caller, as the API server would know it. */
export interface Identity {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A caller without a credential. */
export const anonymous: Identity = {
  name: 'system:anonymous',
  uid: '',
  groups: ['system:unauthenticated'],
  extra: {},
};

const authenticated = 'system:authenticated';

/** Every identified caller is in this group, unless its groups already say which of the two it is in. */
export function withAuthenticatedGroup(identity: Identity): Identity {
  const { name, groups } = identity;
  if (name === anonymous.name) return identity;
  if (groups.some((group) => group === authenticated || anonymous.groups.includes(group))) {
    return identity;
  }
  return { ...identity, groups: [...groups, authenticated] };
}
