/**
 * Every connection of the embedded API server, also those whose TLS handshake is not finished, and which of them
 * have an answer under way. Node's server knows only connections that have spoken HTTP, so that one silent client
 * would keep it from stopping.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class OpenSockets {
  readonly #sockets = new Map<string, Socket>();
  readonly #answers = new Map<ServerResponse, string>();

  /** Adds the plain socket of a new connection. */
  opened(socket: Socket): void {
    const peer = peerOf(socket);
    this.#sockets.set(peer, socket);
    socket.once('close', () => {
      // The same peer may have a new connection already.
      if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer);
    });
  }

  answering({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#answers.set(response, peerOf(socket));
    response.once('close', () => this.#answers.delete(response));
  }

  /** The plain socket below one that speaks TLS. */
  below(socket: Socket): Socket | undefined {
    return this.#sockets.get(peerOf(socket));
  }

  /** Closes connections without a complete request, for which no answer is under way. */
  closeIdle(): void {
    const busy = new Set(
      [...this.#answers].filter(([{ req }]) => req.complete).map(([, peer]) => peer),
    );
    for (const [peer, socket] of this.#sockets) if (!busy.has(peer)) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }
}

/** A TLS socket and the plain socket below it have the same peer. */
function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
