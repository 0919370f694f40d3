/** A plain HTTP server on loopback, which the fakes of AWS are. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export abstract class LoopbackServer implements AsyncDisposable {
  protected readonly server: Server = createServer(
    (request, response) => void this.answer(request, response),
  );

  protected abstract answer(request: IncomingMessage, response: ServerResponse): unknown;

  /** Listens on a free port of a loopback address of either family. */
  protected async listen(host = '127.0.0.1'): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, host, resolve));
    return this;
  }

  get url(): string {
    const address = this.server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
