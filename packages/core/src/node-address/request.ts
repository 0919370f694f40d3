/**
 * The grammar of a node-IP request: `token` or `token,token`, where a token is `IPv4`, `IPv6` or an
 * IP literal, without blanks and in exactly this case. Requests come from annotations and thus from
 * machines that may be hostile, so only a bounded part is read, and only a bounded part is
 * repeated.
 */
import {
  addressLengthMax,
  type Family,
  formatAddress,
  type IpAddress,
  parseAddress,
  specialUseOf,
} from '../ip/index.ts';
import { type Refusal, refusal } from './refusal.ts';
import { quote } from './wording.ts';

export type Token =
  | { readonly kind: 'family'; readonly family: Family }
  | { readonly kind: 'literal'; readonly family: Family; readonly ip: IpAddress };

/** One token, or two of different families, the primary first. */
export type Request = readonly [Token] | readonly [Token, Token];

export type ParsedRequest =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface Gates {
  /** If off, only a single literal is accepted, as before the KEP. */
  readonly CloudNodeIPs: boolean;
}

export function parseRequest(text: string, gates: Gates): ParsedRequest {
  if (text.length > addressLengthMax) {
    const size = `${text.length} characters long`;
    return refuse(
      'InvalidSyntax',
      `Request ${quote(text)} is ${size}, but the limit is ${addressLengthMax}. ${expected}`,
    );
  }
  const tokens: Token[] = [];
  for (const piece of text.split(',')) {
    const token = parseToken(piece);
    if (token === undefined) return refuse('InvalidSyntax', syntaxMessage(text, piece));
    tokens.push(token);
  }
  return judgeTokens(text, tokens, gates);
}

/** The text of a request, with literals in canonical form. */
export function formatRequest(request: Request): string {
  return request.map(formatToken).join(',');
}

export function formatToken(token: Token): string {
  return token.kind === 'family' ? token.family : formatAddress(token.ip);
}

/** Returns the family or literal that the text names, or undefined. */
export function parseToken(text: string): Token | undefined {
  if (text === 'IPv4') return anyIPv4;
  if (text === 'IPv6') return anyIPv6;
  const ip = parseAddress(text);
  return ip === undefined ? undefined : { kind: 'literal', family: ip.family, ip };
}

const anyIPv4: Token = { kind: 'family', family: 'IPv4' };
const anyIPv6: Token = { kind: 'family', family: 'IPv6' };

export function isUnspecified(token: Token): boolean {
  if (token.kind === 'family') return false;
  return specialUseOf(token.ip) === 'unspecified';
}

function judgeTokens(text: string, tokens: readonly Token[], gates: Gates): ParsedRequest {
  const [first, second] = tokens;
  if (first === undefined || tokens.length > 2) {
    return refuse(
      'TooManyTokens',
      `Request ${quote(text)} names ${tokens.length} addresses. Name one, or one of each family.`,
    );
  }
  if (second === undefined) {
    return first.kind === 'family' && !gates.CloudNodeIPs ? disabled(text) : accept([first]);
  }
  if (first.family === second.family) {
    return refuse(
      'SameFamilyPair',
      `Request ${quote(text)} names two ${first.family} addresses. Name one IPv4 and one IPv6 address, the primary one first.`,
    );
  }
  const unspecified = [first, second].find(isUnspecified);
  if (unspecified !== undefined) {
    return refuse(
      'UnspecifiedInPair',
      `Request ${quote(text)} is a pair that contains ${formatToken(unspecified)}. Use ${unspecified.family} in its place for any ${unspecified.family} address of the instance.`,
    );
  }
  return gates.CloudNodeIPs ? accept([first, second]) : disabled(text);
}

function disabled(text: string): ParsedRequest {
  return refuse(
    'FeatureDisabled',
    `Request ${quote(text)} needs the feature gate CloudNodeIPs, which is off. Turn it on or request a single IP address.`,
  );
}

const expected = 'Use IPv4, IPv6 or an IP address, or one of each family joined by a comma.';

function syntaxMessage(text: string, piece: string): string {
  if (text === '') return `The request is empty. Remove it or set a value. ${expected}`;
  const part = piece === text ? '' : ` contains ${quote(piece)}, which`;
  return `Request ${quote(text)}${part} is neither a family nor an IP address${hint(piece)}. ${expected}`;
}

/** A hint for common mistakes. */
function hint(piece: string): string {
  if (piece === '') return ' (remove the extra comma)';
  if (/\s/.test(piece)) return ' (remove the whitespace)';
  if (/^ipv[46]$/i.test(piece)) return ' (the case of letters matters)';
  if (piece.includes('/')) return ' (remove the prefix length)';
  if (piece.includes('%')) return ' (remove the zone)';
  if (piece.includes('[')) return ' (remove the brackets)';
  return '';
}

function accept(request: Request): ParsedRequest {
  return { kind: 'request', request };
}

function refuse(code: Refusal['code'], message: string): ParsedRequest {
  return { kind: 'refused', refusal: refusal(code, message) };
}
