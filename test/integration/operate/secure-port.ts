/**
 * A client of the secure port of a running manager, for people, probes and scrapers. It sends paths as they are,
 * verifies the certificate, and every request has a deadline.
 */
import { gunzipSync } from 'node:zlib';
import { exchange } from '../../control-plane/index.ts';

export interface Identity {
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

interface PortRequest extends Identity {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly limitMs?: number;
}

interface PortResponse {
  readonly status: number;
  readonly contentType: string;
  /** The content encoding if it is not text: `gzip`. */
  readonly encoding: string | undefined;
  readonly text: string;
}

export class SecurePort {
  readonly port: number;
  /** The authority of its certificate. */
  readonly ca: string;
  /** A member of `system:masters`, whom the port lets in without asking the API server. */
  readonly #master: Identity;

  constructor({ port, ca, master }: { port: number; ca: string; master: Identity }) {
    this.port = port;
    this.ca = ca;
    this.#master = master;
  }

  get address(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Sends a request without an identity, or with the given one. */
  async ask(
    path: string,
    { method = 'GET', headers = {}, body, token, limitMs = 10_000, ...pair }: PortRequest = {},
  ): Promise<PortResponse> {
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const target = { host: '127.0.0.1', port: this.port, path, method };
    const sent = { ...target, ...pair, ca: this.ca, headers: { ...headers, ...bearer } };
    const response = await exchange(sent, { body, limitMs });
    const encoding = response.headers['content-encoding'];
    return {
      status: response.status,
      contentType: response.headers['content-type'] ?? '',
      encoding,
      text: (encoding === 'gzip' ? gunzipSync(response.body) : response.body).toString('utf8'),
    };
  }

  askAsMaster(path: string, asked: PortRequest = {}): Promise<PortResponse> {
    return this.ask(path, { ...asked, ...this.#master });
  }

  /** The names of the failed checks on a health page. */
  async failedChecks(page: 'livez' | 'readyz' | 'healthz'): Promise<string[]> {
    const { text } = await this.ask(`/${page}?verbose`);
    return [...text.matchAll(/^\[-\](\S+) failed/gm)].map(([, name = '']) => name);
  }

  /** The reason of a failed check, which only callers with rights see. */
  async reasonOf(check: string): Promise<string> {
    return (await this.askAsMaster(`/readyz/${check}`)).text;
  }

  /** One sample of `/metrics`; undefined without the sample. */
  async metric(sample: string): Promise<number | undefined> {
    const { text } = await this.askAsMaster('/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length + 1));
  }
}
