/**
 * A fake of Azure Resource Manager at the wire: REST over TLS on loopback, as strict as ARM is. The real
 * SDKs talk to it. Tests change its state by hand and make it fail: refusals, throttling, lost answers,
 * calls that hang, lists that are suddenly empty, writes that fail later.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyPair } from '@tandem/serving/certificates';
import { type Issuer, requireActions, requirePlace, requireToken } from './access.ts';
import { AsyncWrites, type Reply, type WriteMode } from './async-writes.ts';
import { emptyState } from './changes.ts';
import { ArmError } from './error.ts';
import { type Fault, FaultyServer } from './faults.ts';
import { keyOf } from './ids.ts';
import { bodyOf } from '../loopback-server.ts';
import { receive } from './operations.ts';
import { pageJson } from './paging.ts';
import { read } from './readings.ts';
import { type ArmRequest, requireQuery } from './request.ts';
import type { ArmState, ProvisioningState } from './state.ts';
import { tableJson } from './table-json.ts';
import { putTable } from './table-writes.ts';

export class FakeArm extends FaultyServer {
  state: ArmState = emptyState();
  /** Actions that the role of the caller does not allow. */
  readonly denied: Set<string> = new Set();
  pageSize = 100;
  /** Reads that are left before Azure refuses them; a header says so. */
  remaining: { readonly reads?: number } = {};
  /** How writes go, and how the next ones do. */
  writes: WriteMode = { kind: 'sync' };
  readonly nextWrites: WriteMode[] = [];
  /** What others do just before the next writes arrive, after the caller has read. */
  readonly beforeWrites: (() => void)[] = [];
  /** The names of all calls that arrived, in their order. */
  readonly calls: string[] = [];
  /** The same calls in full. */
  readonly requests: ArmRequest[] = [];
  readonly #issuer: Issuer & { readonly audience: string };
  readonly #asyncWrites = new AsyncWrites();
  #lists = 0;

  private constructor(tls: KeyPair, issuer: Issuer & { readonly audience: string }) {
    super(tls);
    this.#issuer = issuer;
  }

  static start(tls: KeyPair, issuer: Issuer & { readonly audience: string }): Promise<FakeArm> {
    return new FakeArm(tls, issuer).listen();
  }

  /** Forgets the calls so far. */
  forgetCalls(): void {
    this.calls.length = 0;
    this.requests.length = 0;
  }

  protected async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { request, operation } = receive(incoming, await bodyOf(incoming));
      this.calls.push(request.name);
      this.requests.push(request);
      const fault = this.takeFault(request.name);
      if (fault?.kind === 'hang') return;
      if (fault?.kind === 'reset') return void incoming.socket.destroy();
      if (fault?.kind === 'garbage') return void response.end('<html>Gateway</html>');
      if (fault?.kind === 'refuse') throw fault.error;
      requireQuery(request.query, operation);
      const reply = this.#carryOut(request, fault);
      if (fault?.kind === 'lose') return void incoming.socket.destroy();
      const { reads } = this.remaining;
      const left = request.method === 'GET' &&
        reads !== undefined && { [readsLeft]: String(reads) };
      const headers = { ...reply.headers, ...left };
      send(response, { ...reply, headers });
    } catch (err) {
      const options = { status: 500 };
      const known =
        err instanceof ArmError ? err : new ArmError('InternalServerError', String(err), options);
      send(response, { status: known.status, headers: known.headers, json: known });
    }
  }

  #carryOut(request: ArmRequest, fault: Fault | undefined): Reply {
    if (request.name === 'metadata.endpoints') return { status: 200, json: this.#endpoints() };
    requireToken(request, this.#issuer);
    requireActions(request, this.denied);
    requirePlace(request, this.state);
    switch (request.name) {
      case 'operations.get':
      case 'operationResults.get':
        return this.#asyncWrites.poll(request);
      case 'routeTables.createOrUpdate':
        return this.#write(request);
      default:
        return this.#read(request, fault);
    }
  }

  #read(request: ArmRequest, fault: Fault | undefined): Reply {
    const reading = read(this.state, request);
    if (reading === undefined) throw new Error(`${request.name} is not answered`);
    if (reading.kind === 'item') return { status: 200, json: reading.json };
    if (fault?.kind === 'empty') return { status: 200, json: { value: [] } };
    const isReversed = this.#lists++ % 2 === 1;
    const options = { url: this.url, size: this.pageSize, isReversed };
    return { status: 200, json: pageJson(reading.items, request, options) };
  }

  #write(request: ArmRequest): Reply {
    this.beforeWrites.shift()?.();
    const planned = putTable(this.state, request);
    this.#asyncWrites.requireIdle(planned.id);
    const mode = this.nextWrites.shift() ?? this.writes;
    const commit = (): unknown => {
      this.state = putTable(this.state, { ...request, headers: {} }).state;
      return tableIn(this.state, planned.id);
    };
    if (mode.kind === 'sync') return { status: planned.status, json: commit() };
    const headers = this.#asyncWrites.begin(mode, { id: planned.id, url: this.url, commit });
    if (mode.header === 'Location') return { status: 202, headers };
    return {
      status: planned.status,
      headers,
      json: tableIn(planned.state, planned.id, 'Updating'),
    };
  }

  #endpoints(): unknown {
    const authentication = {
      loginEndpoint: `${this.#issuer.url}/`,
      audiences: [this.#issuer.audience],
      tenant: 'common',
      identityProvider: 'AAD',
    };
    return [{ name: 'FakeCloud', resourceManager: `${this.url}/`, authentication, suffixes: {} }];
  }
}

function tableIn(state: ArmState, id: string, provisioning?: ProvisioningState): unknown {
  const table = state.tables.get(keyOf(id));
  if (table === undefined) return undefined;
  return tableJson({ ...table, provisioning: provisioning ?? table.provisioning });
}

const readsLeft = 'x-ms-ratelimit-remaining-subscription-reads';

function send(response: ServerResponse, { status, headers, json }: Reply): void {
  const text = json === undefined ? '' : JSON.stringify(json);
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(text);
}
