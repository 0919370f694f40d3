export {
  type Family,
  formatAddress,
  type IpAddress,
  isSameAddress,
  type SpecialUse,
  specialUseOf,
} from './address.ts';
export {
  type Cidr,
  cidrOfAddress,
  containsAddress,
  formatCidr,
  parseCidr,
  type ParsedCidr,
} from './cidr.ts';
export { addressLengthMax, parseAddress } from './parse-address.ts';
