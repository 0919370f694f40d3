/** A proxy that lets no one through, and knows where everyone wanted to go. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../loopback-server.ts';

export class RefusingProxy extends LoopbackServer {
  /** With their ports, in the order in which they were asked for. */
  readonly hosts: string[] = [];

  private constructor() {
    super();
    this.server.on('connect', ({ url = '' }, socket) => {
      this.hosts.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
  }

  static start(): Promise<RefusingProxy> {
    return new RefusingProxy().listen();
  }

  protected answer(_request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(403).end();
  }
}
