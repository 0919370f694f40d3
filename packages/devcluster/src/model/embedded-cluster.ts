/**
 * The embedded cluster: a store, the rules of an API server on top of it, and ways in. It has no timer
 * and no socket of its own, and a new one costs next to nothing, so that thousands can run in virtual
 * time one after the other, each the same for the same seed.
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

export interface ClusterOptions {
  readonly clock: Clock;
  /** UIDs, suffixes of names and the lengths of watches are drawn from here. */
  readonly random: Random;
}

export interface EmbeddedCluster {
  readonly store: Store;
  /** A way in without sockets, as one API server process gives it. */
  connect(options?: ConnectOptions): KubeTransport;
  /** Answers one request of whatever carried it. */
  answer(request: ApiRequest): ApiAnswer;
}

/** What a cluster has from its first moment. */
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
