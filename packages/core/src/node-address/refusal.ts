/**
 * Every reason for which a request is refused, declared once: the code (which is also the event
 * reason and the metric label, and therefore never renamed), what it means and what to do about it.
 * The order is the order of judgement: a request has the first code that applies, and no other.
 * `docs/reference/refusals.md` is generated from this table.
 */
export const requestRefusals = {
  InvalidSyntax: {
    meaning: 'The request is not made of `IPv4`, `IPv6` and IP literals, joined by one comma.',
    remedy:
      'Write one word or one literal, or one of each family with a comma and no blank, such as `IPv6,10.0.0.1`. A value that is present but empty is refused too: remove the annotation instead.',
  },
  TooManyTokens: {
    meaning: 'The request names more than two addresses.',
    remedy: 'Name one address, or one of each family.',
  },
  SameFamilyPair: {
    meaning: 'The two addresses of the request are of one family.',
    remedy: 'Name one IPv4 and one IPv6 address, the primary one first.',
  },
  UnspecifiedInPair: {
    meaning: 'The request is a pair with `0.0.0.0` or `::` in it.',
    remedy: 'Write `IPv4` or `IPv6` for an address of that family that the cloud picks.',
  },
  FeatureDisabled: {
    meaning: 'The feature gate `CloudNodeIPs` is off, and then only a single IP literal is taken.',
    remedy: 'Start the manager with `--feature-gates=CloudNodeIPs=true`, or ask for one literal.',
  },
  NoCloudAddresses: {
    meaning:
      'The cloud lists no address for the instance; or nothing asks, and all that it lists are excluded, or it lists only names for a node that has IPs.',
    remedy: 'Give the instance an address, or take the exclusion away that covers all it has.',
  },
  NoAddressOfFamily: {
    meaning:
      'The request asks for a family of which the cloud lists no usable address; or consumers would take other addresses for the node’s IPs than the request stands for, because InternalIPs come before ExternalIPs.',
    remedy: 'Add an address of the family to the instance, or ask for the family that it has.',
  },
  AddressNotFound: {
    meaning:
      'The request asks for an address that the cloud does not list for the instance, or that is excluded.',
    remedy: 'Ask for one of the listed addresses, or give the instance the one that is asked for.',
  },
} as const;

export type RequestRefusalCode = keyof typeof requestRefusals;

export interface Refusal {
  readonly code: RequestRefusalCode;
  /** What was asked, what the cloud has and what to do, in one bounded line. */
  readonly message: string;
}

export function refusal(code: RequestRefusalCode, message: string): Refusal {
  return { code, message };
}
