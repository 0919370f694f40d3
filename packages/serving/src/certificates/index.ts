export { type Authority, createAuthority, type KeyPair, type Subject } from './authority.ts';
