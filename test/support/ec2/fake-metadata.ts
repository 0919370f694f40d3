/** A fake of the instance metadata service, version 2: a token first, then what the instance knows of itself. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';

const token = 'token-of-the-metadata-service';

export class FakeMetadata {
  /** By the path below `/latest/meta-data/`. */
  readonly values: Map<string, string>;
  /** Whether answers are lost, as those that travel one hop too far. */
  isMute = false;
  readonly #server: Server;

  private constructor(values: ReadonlyMap<string, string>) {
    this.values = new Map(values);
    this.#server = createServer((request, response) => {
      if (this.isMute) return;
      const [status, text] = this.#answer(request);
      response.writeHead(status).end(text);
    });
  }

  /** `host` is a loopback address of either family. */
  static async start(
    values: Readonly<Record<string, string>>,
    host = '127.0.0.1',
  ): Promise<FakeMetadata> {
    const fake = new FakeMetadata(new Map(Object.entries(values)));
    await new Promise<void>((resolve) => fake.#server.listen(0, host, resolve));
    return fake;
  }

  get url(): string {
    const address = this.#server.address();
    assert(address !== null && typeof address === 'object', 'the server is closed');
    const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ method, url = '', headers }: IncomingMessage): [status: number, text: string] {
    if (method === 'PUT' && url === '/latest/api/token') {
      const hasLifetime = headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined;
      return hasLifetime ? [200, token] : [400, 'Bad Request'];
    }
    if (headers['x-aws-ec2-metadata-token'] !== token) return [401, 'Unauthorized'];
    const value = this.values.get(url.replace('/latest/meta-data/', ''));
    return value === undefined ? [404, 'Not Found'] : [200, value];
  }
}
