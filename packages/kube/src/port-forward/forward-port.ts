/**
 * Forwards a local port to a port of a pod, like `kubectl port-forward`: every connection becomes a WebSocket to the API
 * server, which passes it on to the kubelet. The protocol is `v4.channel.k8s.io`, which kubelets have spoken since 1.5: each
 * message begins with the number of its channel, 0 for data and 1 for an error in words, and the first message of
 * each channel names the port. It listens on loopback only, until the caller closes it.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Agent, buildConnector, WebSocket } from 'undici';
import type { Credentials } from '../credentials/credentials.ts';
import { tlsOptionsOf } from '../transport/connections.ts';

export interface ForwardOptions {
  readonly credentials: Credentials;
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

export interface ForwardedPort {
  readonly localPort: number;
  /** Why a connection failed or broke, as text. Undefined if none did. */
  problem(): string | undefined;
  close(): Promise<void>;
}

const protocol = 'v4.channel.k8s.io';
const dataChannel = 0;
const errorChannel = 1;
/** The length of the port number in the first message of a channel. */
const portBytes = 2;

export async function forwardPort(options: ForwardOptions): Promise<ForwardedPort> {
  const { credentials, namespace, pod, port } = options;
  const { tls, headers } = await credentials.identity();
  const dial = buildConnector(tlsOptionsOf(tls));
  /** To destroy on close: a WebSocket waits for its peer to close too, and a lost peer never does. */
  const dialled = new Set<Socket>();
  const dispatcher = new Agent({
    connect: (to, callback) =>
      dial(to, (...[err, socket]) => {
        if (err !== null) return callback(err, null);
        dialled.add(socket);
        callback(null, socket);
      }),
  });
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/portforward?ports=${port}`;
  const url = `${credentials.server.replace(/^http/, 'ws')}${path}`;
  const sockets = new Set<Socket>();
  let problem: string | undefined;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().map((text): [string, string] => [name, text]),
    );
    const connection = new WebSocket(url, { protocols: [protocol], headers: sent, dispatcher });
    join(socket, connection, (reason) => {
      problem ??= `The port-forward to pod ${namespace}/${pod} failed: ${reason}`;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address was given');
  return {
    localPort: address.port,
    problem: () => problem,
    async close() {
      for (const socket of [...sockets, ...dialled]) socket.destroy();
      server.close();
      await dispatcher.destroy();
    },
  };
}

/** Passes bytes on in both directions until either side ends. */
function join(socket: Socket, connection: WebSocket, fail: (reason: string) => void): void {
  const hasPort = new Set<number>();
  let isOpen = false;
  connection.binaryType = 'arraybuffer';
  socket.pause();
  connection.addEventListener('open', () => {
    isOpen = true;
    socket.resume();
  });
  socket.on('data', (bytes: Buffer) => {
    connection.send(Buffer.concat([Buffer.of(dataChannel), bytes]));
  });
  connection.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    const bytes = Buffer.from(data instanceof ArrayBuffer ? data : new ArrayBuffer(0));
    const channel = bytes[0] ?? dataChannel;
    const isFirst = !hasPort.has(channel);
    hasPort.add(channel);
    const rest = bytes.subarray(1 + (isFirst ? portBytes : 0));
    if (rest.length === 0) return;
    if (channel === dataChannel) socket.write(rest);
    else if (channel === errorChannel) {
      fail(rest.toString('utf8').trim());
      socket.destroy();
    }
  });
  connection.addEventListener('error', () => {
    if (!isOpen) fail(refused);
    socket.destroy();
  });
  connection.addEventListener('close', () => socket.end());
  socket.on('error', () => undefined);
  socket.on('close', () => connection.close());
}

/** A WebSocket does not expose the error message of the API server. */
const refused =
  'the API server did not open it. You need get and create on pods/portforward, and the kubelet of the node has to answer';
