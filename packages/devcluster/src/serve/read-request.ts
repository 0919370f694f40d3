/** A request from a socket: its body, up to the limit, and who sent it. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { anonymous, type User } from '../access/index.ts';
import { bodyBytesMax } from '../api/index.ts';

export type Body =
  | { readonly kind: 'body'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' };

/** What ends everything that is done for a client that is gone. */
export const clientLeft: Error = new Error('the client disconnected');

/** Rejects when the client leaves before its end. */
export function readBody(request: IncomingMessage): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away, so that the client gets to read the refusal.
      if (size > bodyBytesMax) resolve({ kind: 'tooLarge' });
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve({ kind: 'body', bytes: Buffer.concat(chunks) });
    });
    // A request fails only by its connection.
    request.on('error', () => reject(clientLeft));
    request.on('close', () => reject(clientLeft));
  });
}

/**
 * Clients show who they are by certificate alone. Undefined for credentials of any other kind; a client
 * without any is anonymous.
 */
export function userOf({ socket, headers }: IncomingMessage): User | undefined {
  if (socket instanceof TLSSocket && socket.authorized) return certified(socket);
  return (headers.authorization ?? '') === '' ? anonymous : undefined;
}

/** A connection has one certificate, and reading it takes longer than answering most requests. */
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
