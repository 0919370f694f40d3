/**
 * A singular field made plural, the way Kubernetes evolves its APIs: `podCIDR` became `podCIDRs`,
 * `apiVIP` became `apiVIPs`. Old clients know the singular alone, so it stays and equals the first of
 * the list. These are the rules for creating and for updating such a pair, each with its reason.
 */
export type PluralOutcome<T> =
  | {
      readonly kind: 'value';
      readonly singular: T | undefined;
      readonly plural: readonly T[];
      readonly reason: string;
    }
  | { readonly kind: 'refused'; readonly reason: string };

interface PluralRules<T> {
  readonly isSame: (a: T, b: T) => boolean;
  /** What users call the two fields. */
  readonly names: { readonly singular: string; readonly plural: string };
}

export interface PluralCreation<T> extends PluralRules<T> {
  readonly singular: T | undefined;
  readonly plural: readonly T[] | undefined;
}

export function createPlural<T>(creation: PluralCreation<T>): PluralOutcome<T> {
  const { singular, plural = [], names } = creation;
  const [first] = plural;
  if (singular === undefined) {
    if (first === undefined) return value(undefined, [], 'neither field is given');
    // On an update this would look the same as an old client that clears the singular field.
    return refused(
      `${names.plural} needs ${names.singular}; set ${names.singular} to the first value of ${names.plural}`,
    );
  }
  if (first === undefined)
    return value(singular, [singular], `${names.plural} follows from ${names.singular}`);
  if (!creation.isSame(singular, first)) {
    return refused(`the first value of ${names.plural} must equal ${names.singular}`);
  }
  return value(singular, plural, 'both fields agree');
}

/**
 * The part of an update about one field: nothing (the client may not know it), a clearing, or a
 * value.
 */
export type Sent<T> =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'cleared' }
  | { readonly kind: 'set'; readonly value: T };

export interface PluralUpdate<T> extends PluralRules<T> {
  readonly current: { readonly singular: T | undefined; readonly plural: readonly T[] };
  readonly singular: Sent<T>;
  readonly plural: Sent<readonly T[]>;
}

export function updatePlural<T>(update: PluralUpdate<T>): PluralOutcome<T> {
  const { current, isSame, names } = update;
  // An empty list means the same as a clearing.
  const plural = isEmptyList(update.plural) ? cleared : update.plural;
  if (plural.kind === 'set')
    return createPlural({ ...update, singular: sentValue(update), plural: plural.value });

  switch (update.singular.kind) {
    case 'cleared':
      return value(
        undefined,
        [],
        `${names.singular} was cleared, which clears ${names.plural} too`,
      );
    case 'nothing':
      // A client that does not send the singular field cannot intend to clear it.
      return value(
        current.singular,
        current.plural,
        plural.kind === 'cleared'
          ? `clearing only ${names.plural} changes nothing; clear ${names.singular}`
          : 'nothing was sent',
      );
    case 'set': {
      const next = update.singular.value;
      const isUnchanged = current.singular !== undefined && isSame(current.singular, next);
      if (isUnchanged && plural.kind === 'nothing') {
        return value(current.singular, current.plural, `${names.singular} is unchanged`);
      }
      return value(next, [next], `${names.plural} follows from ${names.singular}`);
    }
  }
}

const cleared = { kind: 'cleared' } as const;

function isEmptyList<T>(sent: Sent<readonly T[]>): boolean {
  return sent.kind === 'set' && sent.value.length === 0;
}

function sentValue<T>({ singular }: PluralUpdate<T>): T | undefined {
  return singular.kind === 'set' ? singular.value : undefined;
}

function value<T>(singular: T | undefined, plural: readonly T[], reason: string): PluralOutcome<T> {
  return { kind: 'value', singular, plural, reason };
}

function refused<T>(reason: string): PluralOutcome<T> {
  return { kind: 'refused', reason };
}
