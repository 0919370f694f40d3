/**
 * Cipher suites by their Go and IANA names, with OpenSSL's names for them. The default is upstream's preferred list without
 * its CBC suites. Weaker suites must be named, and suites that OpenSSL no longer has are refused rather than ignored.
 */
import { getCiphers } from 'node:tls';

/** Returns OpenSSL's list for the given names, or the default list. */
export function cipherList(names: readonly string[]): string {
  const chosen = names.length === 0 ? defaultSuites : names;
  // As in Go, a list of older suites does not switch off TLS 1.3, whose suites are all good.
  const tls13 = chosen.some((name) => tls13Suites.includes(name)) ? [] : tls13Suites;
  return [...chosen, ...tls13].map((name) => openSslName(name) ?? name).join(':');
}

export function isTls13Suite(name: string): boolean {
  return tls13Suites.includes(name);
}

/** Returns a message with advice for every wrong name. */
export function cipherProblems(names: readonly string[]): string[] {
  return names
    .filter((name) => openSslName(name) === undefined)
    .map(
      (name) =>
        `--tls-cipher-suites: ${JSON.stringify(name)} is not a supported cipher suite. ` +
        `Use some of ${[...openSslNames.keys()].filter(isAvailable).join(', ')}.`,
    );
}

function openSslName(name: string): string | undefined {
  return isAvailable(name) ? openSslNames.get(name) : undefined;
}

function isAvailable(name: string): boolean {
  const known = openSslNames.get(name);
  return known !== undefined && available.has(known.toLowerCase());
}

const available: ReadonlySet<string> = new Set(getCiphers());

const tls13Suites: readonly string[] = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
];

const defaultSuites: readonly string[] = [
  ...tls13Suites,
  'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
  'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
];

/** All names that upstream's flag accepts, including its two spellings of the ChaCha suites. */
const openSslNames: ReadonlyMap<string, string> = new Map([
  ...tls13Suites.map((name) => [name, name] as const),
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
]);
