/**
 * What is said to a client that does not speak HTTP, or not as it is spoken: in plain text as a
 * kube-apiserver does it, because nothing that was understood says how the client wants its answer.
 */
import type { Socket } from 'node:net';
import { refusals, statusOf } from '../api/index.ts';

/** For a client that speaks HTTP without TLS; sent without TLS too. */
export const plainHttpAnswer =
  'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

export function isPlainHttp(err: Error): boolean {
  return codeOf(err) === 'ERR_SSL_HTTP_REQUEST';
}

/** The answer to a request that could not be read, and the end of its connection. */
export function answerProtocolError(err: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(protocolAnswer(err));
}

export function protocolAnswer(err: Error): string {
  switch (codeOf(err)) {
    case 'HPE_HEADER_OVERFLOW':
      return textAnswer('431 Request Header Fields Too Large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return textAnswer('408 Request Timeout');
    case 'HPE_INVALID_METHOD':
      return isRequestLine(err) ? notAllowed() : textAnswer('400 Bad Request');
    default:
      return textAnswer('400 Bad Request');
  }
}

function textAnswer(status: string): string {
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`;
}

/** The parser knows the methods of HTTP by name; any other word is a method that nothing here has. */
function isRequestLine(err: Error): boolean {
  const packet = 'rawPacket' in err && Buffer.isBuffer(err.rawPacket) ? err.rawPacket : '';
  return /^[-!#$%&'*+.^_`|~\w]+ \S+ HTTP\/1\.[01]\r?\n/.test(packet.toString('latin1'));
}

function notAllowed(): string {
  const body = JSON.stringify(statusOf(refusals.methodNotAllowed()));
  const head = [
    'HTTP/1.1 405 Method Not Allowed',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

function codeOf(err: Error): string {
  return 'code' in err ? String(err.code) : '';
}
