/**
 * Checks the address of an API server. Plain HTTP would send a token unencrypted, so it is accepted only
 * for this machine.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { CredentialsError, type CredentialsErrorCode } from './credentials.ts';

/** Returns the address without a trailing slash. The error names its origin. */
export function checkServerAddress(
  address: string,
  { where, code }: { where: string; code: CredentialsErrorCode },
): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url === undefined || !isWeb) {
    throw new CredentialsError(code, {
      problem: `${where} is "${address}", which is not a server address.`,
      fix: 'Write it as https://HOST:PORT.',
    });
  }
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new CredentialsError(code, {
      problem: `${where} is "${address}", which would send credentials unencrypted.`,
      fix: 'Use https://. Tandem accepts http:// only for localhost and loopback addresses.',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isThisMachine(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  if (isIP(host) === 0) return host === 'localhost';
  return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}
