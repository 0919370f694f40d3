/**
 * Which addresses a machine has to get, worked out from the promises in the plainest way. It shares no
 * code with the manager's, and knows only such requests and clouds as plans draw: addresses in their
 * canonical text, ExternalIPs only beside InternalIPs of the same family.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import { vips } from '../plan/index.ts';
import { textsOf } from './stored-node.ts';

export type NaiveAnswer =
  | { readonly kind: 'addresses'; readonly texts: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string };

export function resolveNaively(cloud: readonly NodeAddress[], request: string | null): NaiveAnswer {
  const usable = cloud.filter(({ address }) => !vips.includes(address));
  if (request === null) {
    return usable.length === 0
      ? refused('NoCloudAddresses')
      : { kind: 'addresses', texts: textsOf(usable) };
  }
  const tokens = request.split(',');
  const fault = faultOf(tokens);
  if (fault !== undefined) return refused(fault);
  if (cloud.length === 0) return refused('NoCloudAddresses');
  return pick(tokens, usable);
}

function pick(tokens: readonly string[], usable: readonly NodeAddress[]): NaiveAnswer {
  const namesWholeStack = tokens.length === 1 && isWord(tokens[0] ?? '');
  const candidates = namesWholeStack
    ? usable.filter(({ address }) => familyOf(address) === tokens[0])
    : usable;
  const picked: NodeAddress[] = [];
  for (const token of tokens) {
    const found = isWord(token)
      ? candidates.find(({ type, address }) => type === 'InternalIP' && familyOf(address) === token)
      : candidates.find(({ address }) => address === token);
    if (found === undefined)
      return refused(isWord(token) ? 'NoAddressOfFamily' : 'AddressNotFound');
    picked.push(found);
  }
  const others = candidates.filter(({ type }) => !picked.some((one) => one.type === type));
  return { kind: 'addresses', texts: textsOf([...picked, ...others]) };
}

function faultOf(tokens: readonly string[]): string | undefined {
  if (tokens.some((token) => familyOf(token) === undefined)) return 'InvalidSyntax';
  if (tokens.length > 2) return 'TooManyTokens';
  const [first, second] = tokens.map(familyOf);
  if (tokens.length === 2 && first === second) return 'SameFamilyPair';
  const hasUnspecified = tokens.includes('0.0.0.0') || tokens.includes('::');
  return tokens.length === 2 && hasUnspecified ? 'UnspecifiedInPair' : undefined;
}

function familyOf(token: string): 'IPv4' | 'IPv6' | undefined {
  if (token === 'IPv4' || token === 'IPv6') return token;
  if (/^[0-9.]+$/.test(token)) return 'IPv4';
  return token.includes(':') ? 'IPv6' : undefined;
}

function isWord(token: string): boolean {
  return token === 'IPv4' || token === 'IPv6';
}

function refused(code: string): NaiveAnswer {
  return { kind: 'refused', code };
}
