/**
 * The reasons to refuse a request, declared once: the code (which is also the event reason and the
 * metric label, and therefore never renamed), its meaning, its remedy, and whether it depends on
 * the cloud's list. A refusal that depends on the list needs a fresh answer of the cloud (P3). A
 * request has only the first code in this order that applies. `docs/reference/refusals.md` is
 * generated from this table. Refusals of a node, whatever it requests, are in
 * `node-init/node-refusal.ts`.
 */
export const requestRefusals = {
  InvalidSyntax: {
    meaning:
      'The request is not `IPv4`, `IPv6` or an IP address, nor two of these joined by a comma.',
    remedy:
      'Use `IPv4`, `IPv6` or an IP address, or one of each family joined by a comma without whitespace, such as `IPv6,10.0.0.1`. An empty value is refused too: remove the annotation instead.',
    isAboutCloud: false,
  },
  TooManyTokens: {
    meaning: 'The request names more than two addresses.',
    remedy: 'Name one address, or one of each family.',
    isAboutCloud: false,
  },
  SameFamilyPair: {
    meaning: 'The request names two addresses of the same family.',
    remedy: 'Name one IPv4 and one IPv6 address, the primary one first.',
    isAboutCloud: false,
  },
  UnspecifiedInPair: {
    meaning: 'The request is a pair that contains `0.0.0.0` or `::`.',
    remedy: 'Use `IPv4` or `IPv6` for any address of that family that the instance has.',
    isAboutCloud: false,
  },
  FeatureDisabled: {
    meaning:
      'The feature gate `CloudNodeIPs` is off, so the manager accepts only a single IP address.',
    remedy:
      'Start the manager with `--feature-gates=CloudNodeIPs=true`, or request a single IP address.',
    isAboutCloud: false,
  },
  NoCloudAddresses: {
    meaning:
      'The cloud lists no address for the instance. Without a request, this code also means that every listed address is excluded, or that the cloud lists only names for a node that has IP addresses.',
    remedy:
      'Add an address to the instance. If the event names an entry of `excludeCIDRs` that covers too much, change that entry.',
    isAboutCloud: true,
  },
  NoAddressOfFamily: {
    meaning:
      'The request needs an address family for which the cloud lists no usable address or only excluded ones. Or consumers would use other node IPs than the requested ones, because InternalIPs come before ExternalIPs.',
    remedy:
      'Add an address of the family to the instance, or request the family that it has. Excluded addresses never count: the event names them and what excludes each.',
    isAboutCloud: true,
  },
  AddressNotFound: {
    meaning:
      'The request names an address that the cloud does not list for the instance, or that is excluded.',
    remedy: 'Request one of the listed addresses, or add the requested address to the instance.',
    isAboutCloud: true,
  },
} as const;

export type RequestRefusalCode = keyof typeof requestRefusals;

export interface Refusal {
  readonly code: RequestRefusalCode;
  /** What was requested, what the cloud has and what to do, in one bounded line. */
  readonly message: string;
}

export function refusal(code: RequestRefusalCode, message: string): Refusal {
  return { code, message };
}
