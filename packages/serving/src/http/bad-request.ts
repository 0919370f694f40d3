/**
 * Answers requests that cannot be read: headers that are too large or too slow, lengths that contradict each other,
 * garbage. Each gets one short answer, and the connection is closed. Bytes that still arrive are dropped for a moment, so
 * that a reset does not destroy the answer.
 */
import type { Duplex } from 'node:stream';
import type { Clock } from '@tandem/runtime';

const lingerMs = 1_000;

export function refuseBadRequest(clock: Clock): (err: Error, socket: Duplex) => void {
  // Everything that follows a bad request is bad again, and is not answered again.
  const answered = new WeakSet<Duplex>();
  return (err, socket) => {
    if (answered.has(socket)) return;
    answered.add(socket);
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const status = statuses.get('code' in err ? String(err.code) : '') ?? '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const timer = clock.after(lingerMs, () => socket.destroy());
    socket.once('close', () => timer.cancel());
  };
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);
