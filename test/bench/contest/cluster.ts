/**
 * The API server that contenders write nodes to. Each run begins with the same state, restored from one backup with a
 * fresh API server: no contender inherits what another one left in etcd, in the watch cache or on the heap. During a
 * measurement, the bench itself requests at most one object, never the list.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeClient, Resource } from '@tandem/kube/client';
import { sleep } from '@tandem/runtime';
import {
  type ControlPlane,
  eventually,
  type RequestCounts,
  startControlPlane,
} from '../../control-plane/index.ts';
import { type ConnectedClient, connectClient } from '../../support/connected-client.ts';
import { bequeathRemoval } from '../../support/process/index.ts';
import { Load } from '../informer/load.ts';
import { processUsage, type ProcessUsage } from '../../support/process-usage.ts';
import type { BenchPorts } from '../report.ts';
import { initializedLabel } from './fleet.ts';

export const nodes: Resource = { group: '', version: 'v1', resource: 'nodes' };

interface Closers {
  /** The last one added is called first. */
  add(close: () => Promise<void>): void;
}

export class Cluster {
  readonly controlPlane: ControlPlane;
  readonly ports: BenchPorts;
  /** Ends the programs that use the cluster before the cluster itself. */
  readonly closers: Closers;
  #connected: ConnectedClient | undefined;
  #polls = 0;

  private constructor(controlPlane: ControlPlane, ports: BenchPorts, closers: Closers) {
    this.controlPlane = controlPlane;
    this.closers = closers;
    this.ports = ports;
  }

  /**
   * Starts a cluster with an empty folder beside it, and ends both when the work is done. If the bench is interrupted,
   * the guard of its processes ends them and removes the folder.
   */
  static async with<Result>(
    ports: BenchPorts,
    work: (cluster: Cluster, folder: string) => Promise<Result>,
  ): Promise<Result> {
    const folder = await mkdtemp(join(tmpdir(), 'tandem-bench-'));
    bequeathRemoval([folder]);
    const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
    try {
      const controlPlane = await startControlPlane();
      closing.push(() => controlPlane.stop());
      const closers = { add: (close: () => Promise<void>): void => void closing.push(close) };
      const cluster = new Cluster(controlPlane, ports, closers);
      closing.push(() => cluster.#hangUp());
      return await work(cluster, folder);
    } finally {
      for (const close of closing.toReversed()) await close();
    }
  }

  /** Registers the nodes and backs up the state. */
  async register(count: number, make: (number: number) => object): Promise<void> {
    const load = await this.load();
    await load.createNodes(count, make);
    await this.controlPlane.backUpEtcd();
  }

  /** Restores the registered state: the nodes as registered, no events, no Leases. */
  async reset(): Promise<void> {
    await this.#hangUp();
    await this.controlPlane.restoreEtcd();
    await this.untilQuiet();
  }

  /** Empties the cluster. */
  async wipe(): Promise<void> {
    await this.#hangUp();
    await this.controlPlane.wipeEtcd({ apiServer: 'restarted' });
  }

  load(): Promise<Load> {
    return Load.connect(this.controlPlane, this.ports);
  }

  /** The usage of the current API server, which has run since the last reset. */
  serverUsage(): Promise<ProcessUsage> {
    return processUsage(this.controlPlane.apiServer.pid ?? 0);
  }

  /** The requests to the API server since its start, without the bench's own polls. */
  async requestCounts(): Promise<RequestCounts> {
    const counts = new Map(await this.controlPlane.requestCounts());
    counts.set('LIST nodes', (counts.get('LIST nodes') ?? 0) - this.#polls);
    return counts;
  }

  /**
   * Whether any node is still uninitialised. The API server sends the metadata of the first one in its cache. It gives
   * a count only without a selector.
   */
  async hasUninitialized(): Promise<boolean> {
    const query = { labelSelector: `!${initializedLabel}`, limit: '1' };
    return (await this.#names(query)).length > 0;
  }

  /** The number of initialised nodes. It costs a list of their metadata. */
  async initializedCount(): Promise<number> {
    return (await this.#names({ labelSelector: initializedLabel })).length;
  }

  /** Events that are not about nodes, such as the one about a new leader. */
  async otherEvents(): Promise<number> {
    const events: Resource = { group: '', version: 'v1', resource: 'events' };
    const query = { fieldSelector: 'involvedObject.kind!=Node' };
    return (await this.get<{ items: unknown[] }>(events, query)).items.length;
  }

  async client(): Promise<KubeClient> {
    this.#connected ??= await connectClient(this.controlPlane.kubeconfig, { userAgent: 'bench' });
    return this.#connected.client;
  }

  async get<Body>(resource: Resource, query: Readonly<Record<string, string>> = {}): Promise<Body> {
    const client = await this.client();
    const verb = resource.name === undefined ? 'list' : 'get';
    const { body } = await client.call({ verb, resource, query });
    return JSON.parse(Buffer.from(body).toString());
  }

  /**
   * Returns the nodes once all exist and `verify` throws for none of them. A contender with a low rate limit can look
   * idle between two writes, so that it gets 30 seconds more. This costs the API server much, so call it after a
   * measurement.
   */
  verifyNodes<Node>(count: number, verify: (node: Node) => void): Promise<Node[]> {
    return eventually(
      async () => {
        const seen = await this.#listNodes<Node>();
        if (seen.length !== count) throw new Error(`there are ${seen.length} of ${count} nodes`);
        seen.forEach(verify);
        return seen;
      },
      { withinMs: 30_000 },
    );
  }

  /** All nodes, page by page. */
  async #listNodes<Node>(): Promise<Node[]> {
    const listed: Node[] = [];
    for (let next: string | undefined = ''; next !== undefined;) {
      const page: NodePage<Node> = await this.get<NodePage<Node>>(nodes, {
        limit: '500',
        ...(next === '' ? {} : { continue: next }),
      });
      listed.push(...page.items);
      next = page.metadata.continue;
    }
    return listed;
  }

  /** Waits until the API server, and a process beside it, are nearly idle. */
  async untilQuiet(pid?: number): Promise<void> {
    const cpuSeconds = async (): Promise<number> => {
      const beside = pid === undefined ? 0 : (await processUsage(pid)).cpuSeconds;
      return beside + (await this.serverUsage()).cpuSeconds;
    };
    let quietWindows = 0;
    for (let tries = 0; tries < quietTriesMax && quietWindows < 2; tries += 1) {
      const before = await cpuSeconds();
      await sleep(this.ports.clock, quietWindowMs);
      quietWindows = (await cpuSeconds()) - before <= quietCpuSeconds ? quietWindows + 1 : 0;
    }
  }

  async #names(query: Readonly<Record<string, string>>): Promise<string[]> {
    const client = await this.client();
    this.#polls += 1;
    const { body } = await client.call({
      verb: 'list',
      resource: nodes,
      query,
      accept: metadataList,
    });
    // An empty list of metadata has no items at all.
    const list: { items: { metadata: { name: string } }[] | null } = JSON.parse(
      Buffer.from(body).toString(),
    );
    return (list.items ?? []).map(({ metadata }) => metadata.name);
  }

  /** Drops the connection and the count of polls, which do not survive the API server. */
  async #hangUp(): Promise<void> {
    const connected = this.#connected;
    this.#connected = undefined;
    this.#polls = 0;
    await connected?.[Symbol.asyncDispose]();
  }
}

/** The revision of the last write to one of these objects. */
export function lastRevision(
  seen: readonly { readonly metadata: { readonly resourceVersion: string } }[],
): number {
  return Math.max(...seen.map(({ metadata }) => Number(metadata.resourceVersion)));
}

interface NodePage<Node> {
  readonly items: readonly Node[];
  readonly metadata: { readonly continue?: string };
}

const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

const quietWindowMs = 1_000;
/** An idle API server uses half of this; one that gets events uses several times as much. */
const quietCpuSeconds = 0.08;
/** On a busy machine, the server may never be quiet. */
const quietTriesMax = 30;
