/**
 * The client on a real API server: what it answers to whom, what refusals look like, and what is known
 * about a call that a kill, a restart or a pause of the server cut off.
 */
import assert from 'node:assert/strict';
import {
  ApiError,
  type ApiStatus,
  type Call,
  createKubeClient,
  type KubeClient,
  type Resource,
} from '@tandem/kube/client';
import { loadCredentials, type LoadOptions } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { type Clock, createMetrics, systemClock, systemEnvironment } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import {
  type ControlPlane,
  createAuthority,
  disturbedControlPlane,
  sharedControlPlane,
} from '../../control-plane/index.ts';
import { aKubeconfig, base64, createFiles, type Files } from './client-files.ts';

const protobuf = 'application/vnd.kubernetes.protobuf';
const nodes: Resource = { group: '', version: 'v1', resource: 'nodes' };
const node = (name: string): Resource => ({ ...nodes, name });
const patchOf = (name: string, ...body: object[]): Call => ({
  verb: 'patch',
  resource: node(name),
  contentType: 'application/json-patch+json',
  body,
});

interface Connected extends AsyncDisposable {
  readonly client: KubeClient;
  readonly transport: KubeTransport;
}

/** A client as the kubeconfig, or other places to look, say; closed with its test. */
async function connect(
  from: string | Partial<LoadOptions>,
  clock: Clock = systemClock,
): Promise<Connected> {
  const places = typeof from === 'string' ? { kubeconfig: from } : from;
  const environment = systemEnvironment();
  const credentials = await loadCredentials({ environment, clock, ...places });
  const transport = createTransport({ credentials, userAgent: 'tandem/test' });
  const client = createKubeClient({
    transport,
    clock: systemClock,
    random: seededRandom('client'),
    metrics: createMetrics(),
    server: credentials.server,
  });
  return { client, transport, [Symbol.asyncDispose]: () => transport.close() };
}

/** As much of the objects as these tests look at. */
interface Decoded {
  readonly metadata: {
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly { readonly manager: string }[];
  };
  readonly items: readonly unknown[];
  readonly status: { readonly token: string; readonly userInfo: { readonly username: string } };
}

async function read(client: KubeClient, call: Call): Promise<Decoded> {
  const { body } = await client.call(call);
  return JSON.parse(Buffer.from(body).toString('utf8'));
}

async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const err: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(err instanceof ApiError, `not refused: ${String(err)}`);
  return err;
}

describe('the client on an API server', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;
  let files: Files;
  let admin: Connected;

  before(async function () {
    controlPlane = await sharedControlPlane(this);
    files = await createFiles();
    admin = await connect(controlPlane.kubeconfig);
  });
  after(async () => {
    await admin?.[Symbol.asyncDispose]();
    await files?.[Symbol.asyncDispose]();
  });

  const create = (resource: Resource, body: unknown): Promise<Decoded> =>
    read(admin.client, { verb: 'create', resource, body });
  const aNode = (name: string, fields: object = {}): Promise<Decoded> =>
    create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name }, ...fields });

  it('creates, reads, patches, lists and deletes', async () => {
    const name = 'client-crud';
    await aNode(name, { metadata: { name, labels: { [name]: 'red' } } });
    const repaint = { op: 'replace', path: `/metadata/labels/${name}`, value: 'blue' };
    await admin.client.call(patchOf(name, repaint));
    const found = await read(admin.client, { verb: 'get', resource: node(name) });
    assert.deepEqual(found.metadata.labels, { [name]: 'blue' });
    const managers = found.metadata.managedFields?.map(({ manager }) => manager);
    assert.deepEqual([...new Set(managers)], ['tandem']);
    const query = { labelSelector: `${name}=blue` };
    const list = await read(admin.client, { verb: 'list', resource: nodes, query });
    assert.equal(list.items.length, 1);
    await admin.client.call({ verb: 'delete', resource: node(name) });
    const gone = await refusal(admin.client.call({ verb: 'get', resource: node(name) }));
    assert.deepEqual([gone.code, gone.effect, gone.retry], ['ApiNotFound', 'none', 'never']);
  });

  it('is answered in protobuf where it asks for it', async () => {
    const { body, headers } = await admin.client.call({
      verb: 'list',
      resource: nodes,
      accept: `${protobuf},application/json`,
    });
    assert.equal(headers['content-type'], protobuf);
    assert.equal(Buffer.from(body.subarray(0, 4)).toString(), 'k8s\0');
  });

  it('streams a watch, and ends it on abort', async () => {
    const abort = new AbortController();
    const { body } = await admin.client.open({
      resource: nodes,
      query: { watch: '1', fieldSelector: 'metadata.name=client-watch' },
      accept: 'application/json',
      signal: abort.signal,
    });
    const reader = body[Symbol.asyncIterator]();
    const first = reader.next();
    await aNode('client-watch');
    assert.match(Buffer.from((await first).value ?? []).toString(), /^{"type":"ADDED"/);
    const next = assert.rejects(reader.next(), /enough/);
    abort.abort(new Error('enough'));
    await next;
  });

  it('is forbidden what the user may not do, and told so in either encoding', async () => {
    await using nobody = await connect(await controlPlane.kubeconfigFor({ user: 'client-nobody' }));
    for (const accept of ['application/json', protobuf]) {
      const err = await refusal(nobody.client.call({ verb: 'list', resource: nodes, accept }));
      assert.deepEqual([err.code, err.effect, err.retry], ['ApiForbidden', 'none', 'never']);
      assert.equal(err.status.reason, 'Forbidden');
      assert.match(err.status.message, /User "client-nobody" cannot list resource "nodes"/);
    }
  });

  it('distinguishes a failed test of a patch from a write that a validation refused', async () => {
    await aNode('client-422', { spec: { providerID: 'cloud://1' } });
    const statusOf = async (body: object, accept: string): Promise<ApiStatus> => {
      const call = { ...patchOf('client-422', body), accept };
      return (await refusal(admin.client.call(call))).status;
    };
    for (const accept of ['application/json', protobuf]) {
      const guard = { op: 'test', path: '/metadata/uid', value: 'another' };
      const failed = await statusOf(guard, accept);
      assert.deepEqual([failed.code, failed.reason, failed.causes], [422, 'Invalid', []]);
      const change = { op: 'replace', path: '/spec/providerID', value: 'cloud://2' };
      const { code, causes } = await statusOf(change, accept);
      assert.equal(code, 422);
      assert.deepEqual(
        causes.map(({ reason, field }) => [reason, field]),
        [['FieldValueForbidden', 'spec.providerID']],
      );
    }
  });

  it('deletes only what the preconditions allow', async () => {
    const { metadata } = await aNode('client-delete');
    const remove = (uid: string): Promise<unknown> =>
      admin.client.call({
        verb: 'delete',
        resource: node('client-delete'),
        body: { preconditions: { uid } },
      });
    const err = await refusal(remove('another'));
    assert.deepEqual([err.code, err.status.code, err.effect], ['ApiConflict', 409, 'none']);
    await remove(metadata.uid);
  });

  it('knows a resource that the server does not have', async () => {
    const resource = { group: 'nowhere.example', version: 'v1', resource: 'things' };
    const err = await refusal(admin.client.call({ verb: 'list', resource }));
    assert.equal(err.code, 'ApiNotFound');
    assert.match(err.message, /404 page not found/);
  });

  it('does not talk to a server of another authority', async () => {
    const { server } = controlPlane.admin;
    const ca = createAuthority('another authority', systemClock.now()).cert;
    const cluster = { server, 'certificate-authority-data': base64(ca) };
    const path = await files.write('wrong-ca', aKubeconfig(cluster, { token: 'secret' }));
    await using wrong = await connect(path);
    await assert.rejects(wrong.client.call({ verb: 'list', resource: nodes }), {
      code: 'ServerNotTrusted',
      effect: 'none',
    });
  });

  it('says what to do when the kubeconfig has http instead of https', async () => {
    const server = controlPlane.admin.server.replace('https:', 'http:');
    const path = await files.write('plain', aKubeconfig({ server }, {}));
    await using plain = await connect(path);
    await assert.rejects(plain.client.call({ verb: 'list', resource: nodes }), {
      code: 'NotAnApiServer',
      message: /Write https:\/\/ instead of http:\/\//,
    });
  });

  describe('with tokens', () => {
    const cluster = () => ({
      server: controlPlane.admin.server,
      'certificate-authority-data': base64(controlPlane.admin.ca),
    });
    const accounts: Resource = {
      group: '',
      version: 'v1',
      resource: 'serviceaccounts',
      namespace: 'default',
    };

    async function tokenOf(name: string): Promise<string> {
      await create(accounts, { metadata: { name } });
      const issued = await create({ ...accounts, name, subresource: 'token' }, { spec: {} });
      return issued.status.token;
    }

    async function whoAmI(client: KubeClient): Promise<string> {
      const resource = {
        group: 'authentication.k8s.io',
        version: 'v1',
        resource: 'selfsubjectreviews',
      };
      const review = await read(client, { verb: 'create', resource, body: {} });
      return review.status.userInfo.username;
    }

    it('follows a token file that rotates', async () => {
      await files.write('token', await tokenOf('client-one'));
      const path = await files.write('by-file', aKubeconfig(cluster(), { tokenFile: 'token' }));
      const clock = virtualClock({ startMs: systemClock.now() });
      await using connected = await connect(path, clock);
      const account = 'system:serviceaccount:default';
      assert.equal(await whoAmI(connected.client), `${account}:client-one`);
      await files.write('token', await tokenOf('client-two'));
      assert.equal(await whoAmI(connected.client), `${account}:client-one`);
      await clock.advance(30_000);
      assert.equal(await whoAmI(connected.client), `${account}:client-two`);
    });

    it('reads a token file again when its token is refused', async () => {
      await files.write('stale', 'this-token-is-no-good');
      const path = await files.write('by-stale', aKubeconfig(cluster(), { tokenFile: 'stale' }));
      await using connected = await connect(path);
      const err = await refusal(whoAmI(connected.client));
      assert.deepEqual([err.code, err.effect], ['ApiUnauthorized', 'none']);
      await using second = await connect(path);
      await files.write('stale', await tokenOf('client-stale'));
      assert.match(await whoAmI(second.client), /client-stale$/);
    });

    it('finds the service account of its pod', async () => {
      await files.write('token', await tokenOf('client-pod'));
      await files.write('ca.crt', controlPlane.admin.ca);
      const { hostname, port } = new URL(controlPlane.admin.server);
      const environment = {
        HOME: files.path(''),
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port,
      };
      const serviceAccountDirectory = files.path('');
      await using connected = await connect({ environment, serviceAccountDirectory });
      assert.match(await whoAmI(connected.client), /client-pod$/);
    });

    it('takes a token from an exec plug-in', async () => {
      const apiVersion = 'client.authentication.k8s.io/v1';
      const status = { token: await tokenOf('client-exec') };
      const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
      await files.script('login', `echo '${answer}'`);
      const exec = { apiVersion, command: './login', interactiveMode: 'Never' };
      await using connected = await connect(
        await files.write('by-exec', aKubeconfig(cluster(), { exec })),
      );
      assert.match(await whoAmI(connected.client), /client-exec$/);
    });
  });
});

describe('the client on an API server that is disturbed', function () {
  this.timeout(60_000);
  let controlPlane: ControlPlane;
  let connected: Connected;
  const list: Call = { verb: 'list', resource: nodes };
  const create = (name: string): Call => ({
    verb: 'create',
    resource: nodes,
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name } },
  });

  before(async function () {
    controlPlane = await disturbedControlPlane(this);
    connected = await connect(controlPlane.kubeconfig);
  });
  after(async () => {
    await connected?.[Symbol.asyncDispose]();
    await controlPlane?.apiServer.start();
  });
  // One that fails leaves the others a server.
  afterEach(() => controlPlane?.apiServer.resume());

  /** Freezes the server while there are connections to it, so that the next request is sent. */
  async function pause(): Promise<void> {
    await Promise.all([list, list, list].map((call) => connected.client.call(call)));
    // A connection is only used again in the next turn of the event loop.
    await connected.client.call(list);
    await controlPlane.apiServer.pause();
  }

  it('gives up on a paused one in time, not knowing what became of a write', async () => {
    await pause();
    const timedOut = { code: 'CallTimedOut', limitMs: 500 };
    const write = connected.client.call({ ...create('paused'), limitMs: 500 });
    await assert.rejects(write, { ...timedOut, effect: 'unknown' });
    const reading = connected.client.call({ ...list, limitMs: 500 });
    await assert.rejects(reading, { ...timedOut, effect: 'none' });
    controlPlane.apiServer.resume();
    await connected.client.call(list);
  });

  it('does not know what became of a write when the server is killed meanwhile', async () => {
    await pause();
    const write = connected.client.call({ ...create('killed'), limitMs: 30_000 });
    const lost = assert.rejects(write, { code: 'ConnectionLost', effect: 'unknown' });
    await controlPlane.apiServer.kill();
    await lost;
  });

  it('knows that a write to a dead server had no effect', async () => {
    const write = connected.client.call({ ...create('dead'), limitMs: 500 });
    await assert.rejects(write, { code: 'ConnectionFailed', effect: 'none' });
  });

  it('repeats what is safe to repeat until the server is back', async () => {
    const patient = { limitMs: 50_000 };
    const calls = Promise.all([
      connected.client.call({ ...list, ...patient }),
      connected.client.call({ ...create('patient'), ...patient }),
    ]);
    await controlPlane.apiServer.start();
    const [listed, created] = await calls;
    assert.deepEqual([listed.status, created.status], [200, 201]);
  });
});
