/**
 * The embedded cluster: a store, the rules of an API server on top of it, and transports to it. It has no timer
 * and no socket of its own and costs little to create, so that thousands can run in virtual time one after the
 * other. The same seed gives the same cluster.
 */
import { type Clock, type Random, seededIds } from '@tandem/runtime';
import type { KubeTransport } from '@tandem/kube/transport';
import {
  answer,
  type ApiAnswer,
  type ApiRequest,
  Expiry,
  JsonCache,
  type ApiContext,
} from '../api/index.ts';
import { formatTime } from '../schema/index.ts';
import { Store } from '../store/index.ts';
import { type ConnectOptions, ModelTransport } from './model-transport.ts';

interface ClusterOptions {
  readonly clock: Clock;
  /** UIDs, suffixes of names and the lengths of watches are drawn from here. */
  readonly random: Random;
}

export interface EmbeddedCluster {
  readonly store: Store;
  /** A transport without sockets, as to one API server process. */
  connect(options?: ConnectOptions): KubeTransport;
  /** Answers one request, whatever its transport. */
  answer(request: ApiRequest): ApiAnswer;
}

/** The namespaces of a new cluster. */
const firstNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

export function createCluster({ clock, random }: ClusterOptions): EmbeddedCluster {
  const store = new Store();
  const context: ApiContext = {
    store,
    clock,
    random: random.fork('api'),
    ids: seededIds(random.fork('uids')),
    expiry: new Expiry(),
    jsonCache: new JsonCache(),
  };
  createNamespaces(context);
  const answerRequest = (request: ApiRequest): ApiAnswer => answer(context, request);
  return {
    store,
    answer: answerRequest,
    connect: (connection = {}) => new ModelTransport({ clock, answer: answerRequest }, connection),
  };
}

function createNamespaces({ store, ids, clock }: ApiContext): void {
  const namespaces = store.collection('namespaces');
  const creationTimestamp = formatTime(clock.now());
  for (const name of firstNamespaces) {
    const labels = { 'kubernetes.io/metadata.name': name };
    namespaces.put({
      metadata: { name, uid: ids.uuid(), creationTimestamp, labels },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }
}
