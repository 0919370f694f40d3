/** A fake of the instance metadata service, version 2: a token first, then what the instance knows of itself. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../loopback-server.ts';

const token = 'token-of-the-metadata-service';

export class FakeMetadata extends LoopbackServer {
  /** By the path below `/latest/meta-data/`. */
  readonly values: Map<string, string>;
  /** Whether answers are lost, as those that travel one hop too far. */
  isMute = false;
  /** Whether the instance has the service turned off. */
  isOff = false;

  private constructor(values: ReadonlyMap<string, string>) {
    super();
    this.values = new Map(values);
  }

  /** `host` is a loopback address of either family. */
  static start(values: Readonly<Record<string, string>>, host?: string): Promise<FakeMetadata> {
    return new FakeMetadata(new Map(Object.entries(values))).listen(host);
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.isMute) return;
    if (this.isOff) return void response.writeHead(403).end();
    const [status, text] = this.#read(request);
    response.writeHead(status).end(text);
  }

  #read({ method, url = '', headers }: IncomingMessage): [status: number, text: string] {
    if (method === 'PUT' && url === '/latest/api/token') {
      const hasLifetime = headers['x-aws-ec2-metadata-token-ttl-seconds'] !== undefined;
      return hasLifetime ? [200, token] : [400, 'Bad Request'];
    }
    if (headers['x-aws-ec2-metadata-token'] !== token) return [401, 'Unauthorized'];
    const value = this.values.get(url.replace('/latest/meta-data/', ''));
    return value === undefined ? [404, 'Not Found'] : [200, value];
  }
}
