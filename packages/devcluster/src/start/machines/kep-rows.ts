/**
 * The two tables of KEP-3705: the kubelet's flag, the cloud's list, and what the node should get. They stay data,
 * so that a run is compared with the KEP and never with what our own code computes.
 */
export interface KepRow {
  /** `--node-ip`; null where the kubelet has no such flag. */
  readonly nodeIP: string | null;
  /** The InternalIPs of the instance, in the order of the cloud. */
  readonly cloud: readonly string[];
  readonly outcome: KepOutcome;
}

export type KepOutcome =
  | { readonly kind: 'addresses'; readonly addresses: readonly string[]; readonly stack: string }
  /** Tandem's code for the refusal that the KEP describes in words. */
  | { readonly kind: 'refused'; readonly code: 'AddressNotFound' | 'NoAddressOfFamily' };

const both = ['1.2.3.4', '5.6.7.8', 'abcd::1234', 'abcd::5678'];
const onlyIPv4 = ['1.2.3.4', '5.6.7.8'];
const notFound: KepOutcome = { kind: 'refused', code: 'AddressNotFound' };
const noFamily: KepOutcome = { kind: 'refused', code: 'NoAddressOfFamily' };

export const dualStackRows: readonly KepRow[] = [
  { nodeIP: null, cloud: both, outcome: given('DS IPv4-primary', both) },
  { nodeIP: '0.0.0.0', cloud: both, outcome: given('DS IPv4-primary', both) },
  { nodeIP: '::', cloud: both, outcome: given('DS IPv4-primary', both) },
  { nodeIP: '1.2.3.4', cloud: both, outcome: given('SS IPv4', ['1.2.3.4']) },
  { nodeIP: '9.10.11.12', cloud: both, outcome: notFound },
  { nodeIP: 'abcd::5678', cloud: both, outcome: given('SS IPv6', ['abcd::5678']) },
  {
    nodeIP: '1.2.3.4,abcd::1234',
    cloud: both,
    outcome: given('DS IPv4-primary', ['1.2.3.4', 'abcd::1234']),
  },
  { nodeIP: 'IPv4', cloud: both, outcome: given('SS IPv4', ['1.2.3.4']) },
  { nodeIP: 'IPv6', cloud: both, outcome: given('SS IPv6', ['abcd::1234']) },
  {
    nodeIP: 'IPv4,IPv6',
    cloud: both,
    outcome: given('DS IPv4-primary', ['1.2.3.4', 'abcd::1234']),
  },
  {
    nodeIP: 'IPv6,5.6.7.8',
    cloud: both,
    outcome: given('DS IPv6-primary', ['abcd::1234', '5.6.7.8']),
  },
  { nodeIP: 'IPv4,abcd::ef01', cloud: both, outcome: notFound },
];

export const singleStackRows: readonly KepRow[] = [
  { nodeIP: null, cloud: onlyIPv4, outcome: given('SS IPv4', onlyIPv4) },
  { nodeIP: '0.0.0.0', cloud: onlyIPv4, outcome: given('SS IPv4', onlyIPv4) },
  { nodeIP: '::', cloud: onlyIPv4, outcome: given('SS IPv4', onlyIPv4) },
  { nodeIP: '1.2.3.4', cloud: onlyIPv4, outcome: given('SS IPv4', ['1.2.3.4']) },
  { nodeIP: '9.10.11.12', cloud: onlyIPv4, outcome: notFound },
  { nodeIP: 'abcd::5678', cloud: onlyIPv4, outcome: notFound },
  { nodeIP: '1.2.3.4,abcd::1234', cloud: onlyIPv4, outcome: notFound },
  { nodeIP: 'IPv4', cloud: onlyIPv4, outcome: given('SS IPv4', ['1.2.3.4']) },
  { nodeIP: 'IPv6', cloud: onlyIPv4, outcome: noFamily },
  { nodeIP: 'IPv4,IPv6', cloud: onlyIPv4, outcome: noFamily },
  { nodeIP: 'IPv6,5.6.7.8', cloud: onlyIPv4, outcome: noFamily },
  { nodeIP: 'IPv4,abcd::ef01', cloud: onlyIPv4, outcome: notFound },
];

function given(stack: string, addresses: readonly string[]): KepOutcome {
  return { kind: 'addresses', addresses, stack };
}
