/**
 * The secure port of a running manager, asked as people, probes and scrapers ask it: paths are sent as
 * they are written, the certificate is verified, and nothing is waited for without a limit.
 */
import { once } from 'node:events';
import { request as send } from 'node:https';
import { systemClock, withDeadline } from '@tandem/runtime';

export interface Identity {
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

export interface Asked extends Identity {
  readonly method?: string;
  readonly limitMs?: number;
}

export interface Heard {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** From the first byte sent to the last one heard. */
  readonly tookMs: number;
}

export class SecurePort {
  readonly port: number;
  /** Who vouches for its certificate. */
  readonly ca: string;
  /** Somebody of `system:masters`, whom it lets in without asking the API server. */
  readonly #master: Identity;

  constructor({ port, ca, master }: { port: number; ca: string; master: Identity }) {
    this.port = port;
    this.ca = ca;
    this.#master = master;
  }

  get address(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** Asks as nobody in particular, or as whoever is given. */
  ask(
    path: string,
    { method = 'GET', token, limitMs = 10_000, ...pair }: Asked = {},
  ): Promise<Heard> {
    return withDeadline({ clock: systemClock, limitMs }, async (signal) => {
      const startMs = systemClock.monotonic();
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const target = { host: '127.0.0.1', port: this.port, path, method };
      const outgoing = send({ ...target, ...pair, ca: this.ca, headers, agent: false, signal });
      const answered = once(outgoing, 'response');
      outgoing.end();
      const [response] = await answered;
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return {
        status: response.statusCode,
        contentType: response.headers['content-type'] ?? '',
        text: Buffer.concat(chunks).toString('utf8'),
        tookMs: systemClock.monotonic() - startMs,
      };
    });
  }

  askAsMaster(path: string): Promise<Heard> {
    return this.ask(path, this.#master);
  }

  /** The names of the checks that a health page calls failed. */
  async failedChecks(page: 'livez' | 'readyz' | 'healthz'): Promise<string[]> {
    const { text } = await this.ask(`/${page}?verbose`);
    return [...text.matchAll(/^\[-\](\S+) failed/gm)].map(([, name = '']) => name);
  }

  /** The reason of a failed check, which is for those with rights. */
  async reasonOf(check: string): Promise<string> {
    return (await this.askAsMaster(`/readyz/${check}`)).text;
  }

  /** One sample of `/metrics`, as it is written there; undefined where there is none. */
  async metric(sample: string): Promise<number | undefined> {
    const { text } = await this.askAsMaster('/metrics');
    const line = text.split('\n').find((each) => each.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length + 1));
  }
}
