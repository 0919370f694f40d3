/**
 * Every connection of the embedded API server, those without a finished TLS handshake included, and
 * which of them have an answer under way. The server of Node knows only those that speak HTTP already;
 * one silent client more would keep it from ever stopping.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export class OpenSockets {
  readonly #sockets = new Map<string, Socket>();
  readonly #answers = new Map<ServerResponse, string>();

  /** The plain socket of a connection that has just been made. */
  opened(socket: Socket): void {
    const peer = peerOf(socket);
    this.#sockets.set(peer, socket);
    socket.once('close', () => {
      // The same peer may have come back before this one was seen to leave.
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

  /** Closes where nothing was asked, or not to the end; there is no answer to be waited for. */
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

/** A TLS socket and the plain one below it have the same. */
function peerOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
