/**
 * Listens on the address of the settings. "Every address" means both families: one socket for both, or IPv4 alone on a
 * machine without IPv6.
 */
import { once } from 'node:events';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { codeOf } from '../files.ts';
import { ServingError } from '../serving-error.ts';

export interface ListenSettings {
  readonly bindAddress: string;
  readonly port: number;
  readonly permitPortSharing: boolean;
}

const everyAddress: ReadonlySet<string> = new Set(['', '0.0.0.0', '::']);

/** The error codes of a kernel without IPv6. */
const withoutIpv6: ReadonlySet<string> = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL']);

export async function listen(server: Server, settings: ListenSettings): Promise<AddressInfo> {
  const { bindAddress, port, permitPortSharing: reusePort } = settings;
  const hosts = everyAddress.has(bindAddress) ? ['::', '0.0.0.0'] : [bindAddress];
  for (const [index, host] of hosts.entries()) {
    try {
      return await listenOn(server, { host, port, ...(reusePort ? { reusePort } : {}) });
    } catch (err) {
      const isLast = index === hosts.length - 1;
      if (isLast || !withoutIpv6.has(codeOf(err))) throw unavailable(settings, err);
    }
  }
  throw unavailable(settings, undefined);
}

/** Returns the families of a socket. A socket on `::` also accepts IPv4, although Node.js names only one family. */
export function familiesOf({ address, family }: AddressInfo): string {
  return address === '::' ? 'IPv4 and IPv6' : family;
}

async function listenOn(server: Server, options: ListenOptions): Promise<AddressInfo> {
  server.listen(options);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address was given');
  return address;
}

function unavailable({ bindAddress, port }: ListenSettings, err: unknown): ServingError {
  return new ServingError('ServingAddressUnavailable', {
    problem: `Cannot listen on ${bindAddress} port ${port} (${codeOf(err)}).`,
    fix: 'Choose another address or port with --bind-address and --secure-port, or stop the process that listens there.',
    cause: err,
  });
}
