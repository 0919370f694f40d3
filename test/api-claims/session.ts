/**
 * How claims talk to an API server: through the transport port, and with unique names, so that claims do not disturb
 * each other.
 */
import assert from 'node:assert/strict';
import type { KubeTransport, Method } from '@tandem/kube/transport';
import { openWatch, type OpenWatch } from './open-watch.ts';

export interface ApiRequest {
  readonly method?: Method;
  readonly path: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly text?: string;
  readonly contentType?: string;
  readonly accept?: string;
  /** Further headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

interface SessionOptions {
  readonly transport: KubeTransport;
  /** The prefix of all names. It differs from run to run on a shared server. */
  readonly prefix: string;
  /** Lets real or virtual time pass. */
  readonly elapse: (durationMs: number) => Promise<void>;
  /** Makes the server forget older versions. */
  readonly compact?: () => Promise<void>;
}

export const nodes = '/api/v1/nodes';
export const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
export const configMaps = '/api/v1/namespaces/default/configmaps';
export const events = '/apis/events.k8s.io/v1/namespaces/default/events';
export const coreEvents = '/api/v1/namespaces/default/events';

export const jsonPatch = 'application/json-patch+json';
export const mergePatch = 'application/merge-patch+json';
export const strategicMerge = 'application/strategic-merge-patch+json';

/**
 * A claim about the API: something that the manager, kubelets or kubectl rely on, as a name and a function that fails
 * where it does not hold. Tests run the same claims on a real kube-apiserver and on the embedded one. Where the two
 * differ, the real one is right.
 */
export interface Claim {
  readonly name: string;
  readonly run: (api: Session) => Promise<void>;
}

export class Session {
  readonly #options: SessionOptions;
  #names = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** A new, unique name. */
  name(): string {
    this.#names += 1;
    return `${this.#options.prefix}-${this.#names}`;
  }

  async ask(question: ApiRequest): Promise<ApiResponse> {
    const { method = 'GET', path, body, text, contentType, accept, headers } = question;
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await this.#options.transport.send({
      method,
      path,
      headers: {
        accept: accept ?? 'application/json',
        'content-type': contentType ?? 'application/json',
        ...headers,
      },
      signal: new AbortController().signal,
      ...(payload === undefined ? {} : { body: payload }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer = Buffer.concat(chunks).toString();
    const isJson = (response.headers['content-type'] ?? '').startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: isJson ? JSON.parse(answer) : undefined,
    };
  }

  /** Sends a request, and fails at another status. */
  async want(status: number, question: ApiRequest): Promise<ApiResponse> {
    const answer = await this.ask(question);
    assert.equal(answer.status, status, answer.text);
    return answer;
  }

  /** Creates a node, and returns the server's answer. */
  async aNode(
    over: { name?: string; metadata?: object; spec?: object; status?: object } = {},
  ): Promise<ApiResponse['body']> {
    const { name = this.name(), metadata = {}, ...rest } = over;
    const body = { metadata: { name, ...metadata }, ...rest };
    return (await this.want(201, { method: 'POST', path: nodes, body })).body;
  }

  patch(path: string, body: unknown, contentType: string = mergePatch): Promise<ApiResponse> {
    return this.ask({ method: 'PATCH', path, body, contentType });
  }

  watch(path: string, accept?: string): Promise<OpenWatch> {
    return openWatch(this.#options.transport, path, accept);
  }

  elapse(durationMs: number): Promise<void> {
    return this.#options.elapse(durationMs);
  }

  async compact(): Promise<void> {
    assert.ok(this.#options.compact, 'this server cannot be made to forget');
    await this.#options.compact();
  }

  /** The newest version that the server has. */
  async version(): Promise<string> {
    const { body } = await this.want(200, { path: `${nodes}?limit=1` });
    return body.metadata.resourceVersion;
  }
}

/** The parts of a `Status` that are the same on all servers: code, reason, and the fields of its causes. */
export function verdictOf({ body }: ApiResponse): unknown[] {
  const fields = (body.details?.causes ?? []).map(
    ({ reason, field }: { reason: string; field: string }) => `${field} ${reason}`,
  );
  return [body.code, body.reason, ...fields];
}
