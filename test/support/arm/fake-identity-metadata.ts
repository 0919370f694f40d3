/** A fake of the instance metadata service as far as a machine's managed identities get tokens from it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '@tandem/runtime';
import type { FakeEntra } from './fake-entra.ts';
import { LoopbackServer } from '../loopback-server.ts';

export class FakeIdentityMetadata extends LoopbackServer {
  /** Client ids of user-assigned identities; an empty one stands for the system-assigned identity. */
  readonly identities: Set<string> = new Set(['']);
  readonly requests: string[] = [];
  readonly #entra: FakeEntra;

  private constructor(entra: FakeEntra) {
    super();
    this.#entra = entra;
  }

  static start(entra: FakeEntra): Promise<FakeIdentityMetadata> {
    return new FakeIdentityMetadata(entra).listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    const [status, json] = this.#reply(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }

  #reply({ url: text = '', headers }: IncomingMessage): readonly [status: number, json: unknown] {
    const url = new URL(text, this.url);
    this.requests.push(text);
    // The SDK ends the path with a slash where the host was given to it.
    if (!/^\/metadata\/identity\/oauth2\/token\/?$/.test(url.pathname)) {
      return refuse(404, `Not found: ${url.pathname}`);
    }
    if (headers['metadata'] !== 'true')
      return refuse(400, 'Required metadata header not specified');
    const query = url.searchParams;
    if (query.get('api-version') !== '2018-02-01') return refuse(400, 'Bad api-version');
    const resource = query.get('resource');
    if (resource === null) return refuse(400, 'Required query variable resource is missing');
    if (!this.identities.has(query.get('client_id') ?? ''))
      return refuse(400, 'Identity not found');
    const { audience, lifetimeSeconds } = this.#entra;
    const isOurs = resource.replace(/\/$/, '') === audience.replace(/\/$/, '');
    return [
      200,
      {
        access_token: this.#entra.issue(isOurs ? audience : resource),
        client_id: query.get('client_id') ?? 'system-assigned',
        expires_in: String(lifetimeSeconds),
        expires_on: String(Math.floor(systemClock.now() / 1_000) + lifetimeSeconds),
        resource,
        token_type: 'Bearer',
      },
    ];
  }
}

const refuse = (status: number, error_description: string): readonly [number, unknown] => [
  status,
  { error: 'invalid_request', error_description },
];
