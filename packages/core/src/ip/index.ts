export {
  compareAddresses,
  type Family,
  formatAddress,
  type IpAddress,
  isSameAddress,
  type SpecialUse,
  specialUseOf,
} from './address.ts';
export {
  type Cidr,
  cidrKey,
  cidrOfAddress,
  compareCidrs,
  containsAddress,
  containsCidr,
  formatCidr,
  networkOf,
  overlaps,
  parseCidr,
  type ParsedCidr,
  subnetAt,
  subnetCount,
  subnetIndexOf,
} from './cidr.ts';
export { addressLengthMax, parseAddress } from './parse-address.ts';
