/**
 * The address of an API server, checked. Without TLS a token would cross the network in the clear, so
 * plain HTTP is taken only to this machine itself.
 */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { CredentialsError, type CredentialsErrorCode } from './credentials.ts';

/** Gives the address without a slash at its end. Where it is of no use, the error names its path. */
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
