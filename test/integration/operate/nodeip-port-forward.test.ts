/**
 * The way to the leader by a port-forward, at the wire: a stand-in for an API server with a kubelet behind it, which takes
 * the WebSocket of `v4.channel.k8s.io` and passes its bytes to a secure port.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { kubeconfigOf } from '@tandem/devcluster/kubeconfig';
import { systemClock } from '@tandem/runtime';
import { createAuthority } from '../../control-plane/index.ts';
import { runPlugin } from './nodeip.ts';

const authority = createAuthority('stand-in', systemClock.now());
const pair = authority.issue({ commonName: 'x', hosts: ['127.0.0.1'], uses: ['serverAuth'] });

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'n0',
    uid: 'u0',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { providerID: 'static:///n0' },
  status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] },
};

const page = {
  apiVersion: 'tandem.dev/v1alpha1',
  kind: 'NodeViewList',
  metadata: {},
  summary: {},
  items: [
    {
      name: 'n0',
      uid: 'u0',
      state: 'refused',
      request: null,
      cloud: null,
      standing: {
        reason: 'InstanceNotFound',
        message: 'gone',
        isRefusal: true,
        since: '2026-01-01T00:00:00Z',
      },
    },
  ],
};

/** What the stand-in is asked for, and what it answers beside nodes. */
class StandIn {
  readonly asked: string[] = [];
  holder = 'ccm-1_0a1b';
  pods: readonly object[] = [{ metadata: { name: 'ccm-1' }, spec: {} }];
  /** In place of bytes, on the channel of errors. */
  complaint: string | undefined;
  managerPort = 0;

  serve = (request: IncomingMessage): unknown => {
    const url = new URL(request.url ?? '', 'http://stand-in');
    this.asked.push(`${request.method ?? ''} ${url.pathname}`);
    if (url.pathname.endsWith('/leases/cloud-controller-manager')) {
      return { kind: 'Lease', metadata: {}, spec: { holderIdentity: this.holder } };
    }
    if (url.pathname === '/api/v1/nodes') {
      return {
        kind: 'NodeList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '1' },
        items: [node],
      };
    }
    if (url.pathname.endsWith('/pods')) {
      const selected = url.searchParams.get('fieldSelector')?.replace(/^spec\.nodeName=/, '');
      const items = this.pods.filter(
        (pod) => selected === undefined || Object(pod).spec.nodeName === selected,
      );
      return { kind: 'PodList', metadata: {}, items };
    }
    const name = url.pathname.split('/').at(-1);
    return this.pods.find(
      (pod) => Object(pod).metadata.name === name && url.pathname.includes('/pods/'),
    );
  };

  upgrade = (request: IncomingMessage, socket: Duplex): void => {
    this.asked.push(`UPGRADE ${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    assert.equal(request.headers['sec-websocket-protocol'], 'v4.channel.k8s.io');
    const key = request.headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1')
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n`,
    );
    const portName = Buffer.from([10_258 & 0xff, 10_258 >> 8]);
    for (const channel of [0, 1])
      socket.write(frame(Buffer.concat([Buffer.of(channel), portName])));
    if (this.complaint !== undefined) {
      socket.write(frame(Buffer.concat([Buffer.of(1), Buffer.from(this.complaint)])));
      return;
    }
    const inner = connect(this.managerPort, '127.0.0.1');
    inner.on('data', (bytes) => socket.write(frame(Buffer.concat([Buffer.of(0), bytes]))));
    inner.on('close', () => socket.end());
    inner.on('error', () => socket.destroy());
    let rest = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (let read = unframe(rest); read !== undefined; read = unframe(rest)) {
        rest = rest.subarray(read.length);
        if (read.opcode === 2) {
          assert.equal(read.payload[0], 0);
          inner.write(read.payload.subarray(1));
        } else if (read.opcode === 8) inner.end();
      }
    });
    socket.on('close', () => inner.destroy());
    socket.on('error', () => inner.destroy());
  };
}

/** A binary frame of a server. */
function frame(payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.of(0x82, payload.length)
      : Buffer.of(
          0x82,
          127,
          0,
          0,
          0,
          0,
          ...Buffer.from(new Uint32Array([payload.length]).buffer).toReversed(),
        );
  return Buffer.concat([head, payload]);
}

/** The first frame of a client, unmasked; undefined while it is not complete. */
function unframe(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const opcode = (bytes[0] ?? 0) & 0x0f;
  let size = (bytes[1] ?? 0) & 0x7f;
  let at = 2;
  if (size === 126 && bytes.length >= 4) [size, at] = [bytes.readUInt16BE(2), 4];
  else if (size === 127 && bytes.length >= 10) [size, at] = [Number(bytes.readBigUInt64BE(2)), 10];
  else if (size > 125) return undefined;
  const length = at + 4 + size;
  if (bytes.length < length) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const payload = Buffer.from(
    bytes.subarray(at + 4, length).map((byte, index) => byte ^ (mask[index % 4] ?? 0)),
  );
  return { opcode, payload, length };
}

describe('the manager, reached by a port-forward to the leader', () => {
  let directory: string;
  let standIn: StandIn;
  let api: Server;
  let manager: NetServer;
  const seen: string[] = [];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-forward-'));
    manager = createSecureServer(pair, (request, response) => {
      seen.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...page, padding: 'x'.repeat(200_000) }));
    });
    await listening(manager);
  });

  beforeEach(async () => {
    standIn = new StandIn();
    standIn.managerPort = portOf(manager);
    api = createServer((request, response) => {
      const answer = standIn.serve(request);
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      const missing = {
        kind: 'Status',
        status: 'Failure',
        code: 404,
        reason: 'NotFound',
        message: 'not found',
      };
      response.end(JSON.stringify(answer ?? missing));
    });
    api.on('upgrade', (request, socket) => standIn.upgrade(request, socket));
    await listening(api);
  });

  afterEach(() => {
    api.closeAllConnections();
    api.close();
  });
  after(async () => {
    manager.close();
    await rm(directory, { recursive: true });
  });

  async function status() {
    const kubeconfig = join(directory, 'kubeconfig');
    const server = `http://127.0.0.1:${portOf(api)}`;
    const text = kubeconfigOf({
      name: 'c',
      user: 'u',
      server,
      ca: authority.cert,
      credentials: { token: 'secret' },
    });
    await writeFile(kubeconfig, text);
    return runPlugin(['status', '-ojson', '--kubeconfig', kubeconfig]);
  }

  it('tells its view to the user whose token passes through to it', async () => {
    const { exitCode, output, errors } = await status();
    assert.deepEqual([exitCode, errors], [0, '']);
    const { manager: note, items } = JSON.parse(output);
    assert.deepEqual(note, { via: 'pod kube-system/ccm-1', reached: true, problem: null });
    assert.equal(items[0].reason, 'InstanceNotFound');
    assert.ok(
      standIn.asked.includes(
        'UPGRADE /api/v1/namespaces/kube-system/pods/ccm-1/portforward?ports=10258 Bearer secret',
      ),
    );
    assert.deepEqual(seen.splice(0), ['/statusz/nodes?limit=2000 Bearer secret']);
  });

  it('is found by its node where its pod uses the network of the host', async () => {
    standIn.holder = 'host-7_0a1b';
    const onHost = { nodeName: 'host-7', hostNetwork: true };
    const containers = [{ name: 'cloud-controller-manager' }];
    standIn.pods = [
      { metadata: { name: 'other' }, spec: { ...onHost, containers: [{ name: 'proxy' }] } },
      { metadata: { name: 'ccm-host' }, spec: { ...onHost, containers } },
    ];
    const { manager: note } = JSON.parse((await status()).output);
    assert.deepEqual([note.via, note.reached], ['pod kube-system/ccm-host', true]);
  });

  const failures = [
    {
      name: 'nobody leads',
      set: () => (standIn.holder = ''),
      want: /no manager holds the Lease kube-system\/cloud-controller-manager/,
    },
    {
      name: 'the leader is no pod',
      set: () => (standIn.pods = []),
      want: /held by ccm-1_0a1b, which is no pod/,
    },
    {
      name: 'the kubelet complains',
      set: () => (standIn.complaint = 'no such port'),
      want: /port-forward to pod kube-system\/ccm-1 failed: no such port/,
    },
    {
      name: 'the API server refuses the port-forward',
      set: () =>
        (standIn.upgrade = (_, socket) =>
          void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')),
      want: /port-forward to pod kube-system\/ccm-1 failed: .*get and create on pods\/portforward/,
    },
  ];
  for (const { name, set, want } of failures) {
    it(`is not told where ${name}, and the nodes are shown all the same`, async () => {
      set();
      const { exitCode, output } = await status();
      const { manager: note, items } = JSON.parse(output);
      assert.deepEqual([exitCode, note.reached, items.length], [0, false, 1]);
      assert.match(note.problem, want);
    });
  }
});

async function listening(server: NetServer): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function portOf(server: NetServer): number {
  return (server.address() as AddressInfo).port;
}
