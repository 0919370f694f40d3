/**
 * The first byte of a connection tells TLS from plain HTTP. Whoever speaks plain HTTP to this port is
 * told so, in the protocol that they speak, and nothing else.
 */
import type { Socket } from 'node:net';

/** The type of a TLS record that begins a handshake. */
const handshakeRecord = 0x16;

const plainAnswer =
  'HTTP/1.0 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n' +
  'Client sent an HTTP request to an HTTPS server.\n';

/** Hands the socket on, nothing taken from it, when it begins as TLS does. */
export function whenTls(socket: Socket, handOn: (socket: Socket) => void): void {
  const look = (): void => {
    const bytes: unknown = socket.read();
    if (!(bytes instanceof Uint8Array)) {
      socket.once('readable', look);
      return;
    }
    if (bytes[0] === handshakeRecord) {
      socket.unshift(bytes);
      handOn(socket);
    } else {
      answerPlainly(socket);
    }
  };
  socket.once('readable', look);
}

function answerPlainly(socket: Socket): void {
  // What is still coming is read and dropped, so that the answer is not lost to a reset.
  socket.resume();
  socket.end(plainAnswer);
}
