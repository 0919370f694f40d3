/** Reads a request from a socket: its body, up to the limit, and its user. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { anonymous, type User } from '../access/index.ts';
import { bodyBytesMax } from '../api/index.ts';

export type Body =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' };

/** Ends all work for a client that has left. */
export const clientLeft: Error = new Error('the client disconnected');

/** Rejects when the client leaves before the end of the body. */
export function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and discarded, so that the client gets to read the refusal.
      if (size > bodyBytesMax) resolve({ kind: 'tooLarge' });
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve({ kind: 'body', bytes: Buffer.concat(chunks) });
    });
    // A request fails only when its connection does.
    request.on('error', () => reject(clientLeft));
    request.on('close', () => reject(clientLeft));
  });
}

/**
 * Only certificates identify clients. A client without credentials is anonymous. Undefined for credentials of any
 * other kind.
 */
export function userOf({ socket, headers }: IncomingMessage): User | undefined {
  if (socket instanceof TLSSocket && socket.authorized) return certified(socket);
  return (headers.authorization ?? '') === '' ? anonymous : undefined;
}

/** By connection, because reading a certificate takes longer than answering most requests. */
const usersOfSockets = new WeakMap<TLSSocket, User>();

function certified(socket: TLSSocket): User | undefined {
  const known = usersOfSockets.get(socket);
  if (known !== undefined) return known;
  const user = userOfCertificate(socket);
  if (user !== undefined) usersOfSockets.set(socket, user);
  return user;
}

function userOfCertificate(socket: TLSSocket): User | undefined {
  const { subject } = socket.getPeerCertificate();
  const name = textsOf(subject?.CN)[0];
  if (name === undefined) return undefined;
  return { name, groups: [...textsOf(subject?.O), 'system:authenticated'] };
}

function textsOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
