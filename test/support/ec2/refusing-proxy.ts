/** A proxy that lets no one through, and knows where everyone wanted to go. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';

export class RefusingProxy {
  /** With their ports, in the order in which they were asked for. */
  readonly hosts: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer().on('connect', ({ url = '' }, socket) => {
      this.hosts.push(url);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
  }

  static async start(): Promise<RefusingProxy> {
    const proxy = new RefusingProxy();
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
