/** Addresses, networks, names of objects and of servers. */
import { type Cidr, formatAddress, networkOf, parseAddress } from '@tandem/core/ip';
import { quote } from '@tandem/core/node-address';
import { invalid, list, type Parsed, single, value, type ValueType } from './value-type.ts';

/** In canonical text. */
export const ipAddress: ValueType<string> = single('ip', (text) => {
  const address = parseAddress(text);
  return address === undefined ? invalid('is not an IP address') : value(formatAddress(address));
});

/**
 * Networks by upstream's rules: blanks are allowed only around the whole list, leading zeros are allowed, and
 * bits beyond the prefix are cut off. The last occurrence counts, since upstream reads the flag as one string.
 */
export const networks: ValueType<readonly Cidr[]> = single('cidrs', (text) => {
  const whole = text.trim();
  const entries = networkEntries(text);
  const unreadable = entries.filter(({ cidr }) => cidr === undefined);
  const faulty = new Set(unreadable.map((entry) => entry.text));
  const wrong = [...faulty].filter((entry) => entry !== '');
  const problems = [
    ...(/\s/.test(whole) ? ['contains a blank: separate the networks by a comma alone'] : []),
    ...(faulty.has('') ? ['has an empty entry: remove the comma'] : []),
    ...(wrong.length > 0 ? [noNetworks(wrong, whole)] : []),
  ];
  if (problems.length > 0) return invalid(problems.join('; '));
  return value(readable(entries));
});

/** An entry of a list of networks. `cidr` is undefined if the text is not a network. */
export interface NetworkEntry {
  readonly text: string;
  readonly cidr: Cidr | undefined;
}

/** All entries of a list, so that a caller can report more than the first mistake. */
export function networkEntries(text: string): readonly NetworkEntry[] {
  if (text.trim() === '') return [];
  return text
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => ({ text: entry, cidr: parseNetwork(entry) }));
}

export function readable(entries: readonly NetworkEntry[]): readonly Cidr[] {
  return entries.flatMap(({ cidr }) => cidr ?? []);
}

const examples = 'such as 10.244.0.0/16 or fd00:10:244::/48';

function noNetworks(entries: readonly string[], whole: string): string {
  const quoted = entries.map((entry) => quote(entry));
  const last = quoted.pop() ?? '';
  if (quoted.length > 0) {
    return `contains ${quoted.join(', ')} and ${last}, which are not networks, ${examples}`;
  }
  return entries[0] === whole
    ? `is not a network, ${examples}`
    : `contains ${last}, which is not a network, ${examples}`;
}

function parseNetwork(text: string): Cidr | undefined {
  const [, address = '', length] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const ip = parseAddress(address);
  if (ip === undefined) return undefined;
  // Upstream would read IPv4-mapped IPv6 as IPv6, Tandem as IPv4.
  if (ip.family === 'IPv4' && address.includes(':')) return undefined;
  const bits = ip.family === 'IPv4' ? 32 : 128;
  return Number(length) <= bits ? networkOf(ip, Number(length)) : undefined;
}

/** The name of a namespaced object, or of its namespace. */
export function objectName(word: 'name' | 'namespace'): ValueType<string> {
  const [pattern, lengthMax] = word === 'name' ? [subdomain, 253] : [label, 63];
  return single(word, (text) => {
    if (pattern.test(text) && text.length <= lengthMax) return value(text);
    const dots = word === 'name' ? ', dots' : '';
    return invalid(
      `is not a Kubernetes ${word}: use lower-case letters, digits${dots} and dashes, at most ${lengthMax} characters`,
    );
  });
}

const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** The address of an API server; an empty one counts as not given. */
export const serverAddress: ValueType<string | undefined> = single('url', (text) => {
  if (text === '') return value(undefined);
  const isWeb = /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
  return isWeb ? value(text) : invalid('is not a server address: write https://HOST:PORT');
});

/** Names of HTTP headers, or prefixes of names. */
export const headerNames: ValueType<readonly string[]> = list('headers', (text) => {
  const name = text.trim();
  return /^[-!#$%&'*+.^_`|~0-9a-zA-Z]+$/.test(name) ? value(name) : invalid('is not a header name');
});

/** Paths of this server. A `*` at the end matches every path with that prefix. */
export const urlPaths: ValueType<readonly string[]> = list('paths', parsePath);

function parsePath(text: string): Parsed<string> {
  const star = text.indexOf('*');
  if (star >= 0 && star < text.length - 1) return invalid('has a * that is not at the end');
  // Upstream also accepts a path without its leading slash.
  return /^[^\s?#]*$/.test(text)
    ? value(text.startsWith('/') ? text : `/${text}`)
    : invalid('is not a path');
}

export const texts: ValueType<readonly string[]> = list('strings', (text) => value(text));
