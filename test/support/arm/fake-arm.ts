/**
 * A fake of Azure Resource Manager at the wire: REST over TLS on loopback, as strict as ARM is. The real
 * SDKs talk to it. Tests change its state by hand and make it fail: refusals, throttling, lost answers,
 * calls that hang, lists that are suddenly empty, reads that lag, writes that fail later.
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
import { deleteTable, putTable, type TableWrite } from './table-writes.ts';

interface Remaining {
  readonly reads?: number;
  readonly writes?: number;
  /** Compute counts by itself: `Microsoft.Compute/GetVMScaleSet3Min;197,…`. */
  readonly compute?: string;
}

export class FakeArm extends FaultyServer {
  state: ArmState = emptyState();
  /** What reads are answered from, where they lag behind. */
  readsFrom: ArmState | undefined;
  /** Actions that the role of the caller does not allow. */
  readonly denied: Set<string> = new Set();
  pageSize = 100;
  /** How ids of Compute are spelt: as Azure does, or as they were given. */
  casing: 'azure' | 'plain' = 'azure';
  /** Calls that are left before Azure refuses them; headers say so. */
  remaining: Remaining = {};
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
      const headers = { ...reply.headers, ...remainingHeaders(request, this.remaining) };
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
    const seen = this.readsFrom ?? this.state;
    requireToken(request, this.#issuer);
    requireActions(request, this.denied);
    requirePlace(request, seen);
    switch (request.name) {
      case 'operations.get':
      case 'operationResults.get':
        return this.#asyncWrites.poll(request);
      case 'routeTables.createOrUpdate':
        return this.#write(request, putTable);
      case 'routeTables.delete':
        return this.#write(request, deleteTable);
      default:
        return this.#read(request, seen, fault);
    }
  }

  #read(request: ArmRequest, seen: ArmState, fault: Fault | undefined): Reply {
    const reading = read(seen, request, { casing: this.casing });
    if (reading === undefined) throw new Error(`${request.name} is not answered`);
    if (reading.kind === 'item') return { status: 200, json: reading.json };
    if (fault?.kind === 'empty') return { status: 200, json: { value: [] } };
    const isReversed = this.#lists++ % 2 === 1;
    const options = { url: this.url, size: this.pageSize, isReversed };
    return { status: 200, json: pageJson(reading.items, request, options) };
  }

  #write(request: ArmRequest, change: (state: ArmState, request: ArmRequest) => TableWrite): Reply {
    this.beforeWrites.shift()?.();
    const planned = change(this.state, request);
    this.#asyncWrites.requireIdle(planned.id);
    const mode = this.nextWrites.shift() ?? this.writes;
    const commit = (): unknown => {
      this.state = change(this.state, { ...request, headers: {} }).state;
      return tableIn(this.state, planned.id);
    };
    if (mode.kind === 'sync') return { status: planned.status, json: commit() };
    const headers = this.#asyncWrites.begin(mode, { id: planned.id, url: this.url, commit });
    if (mode.header === 'Location' || request.method === 'DELETE') return { status: 202, headers };
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

function remainingHeaders({ method, path }: ArmRequest, left: Remaining): Record<string, string> {
  const [kind, count] = method === 'GET' ? ['reads', left.reads] : ['writes', left.writes];
  const name = `x-ms-ratelimit-remaining-subscription-${kind}`;
  const isCompute = path.includes('/Microsoft.Compute/');
  return {
    ...(count === undefined ? {} : { [name]: String(count) }),
    ...(isCompute && left.compute !== undefined
      ? { 'x-ms-ratelimit-remaining-resource': left.compute }
      : {}),
  };
}

function send(response: ServerResponse, { status, headers, json }: Reply): void {
  const text = json === undefined ? '' : JSON.stringify(json);
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(text);
}
