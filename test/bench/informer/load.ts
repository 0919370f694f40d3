/** The load that the bench puts on the API server beside the measured program. */
import type { KubeClient, Resource } from '@tandem/kube/client';
import { type Clock, sleep } from '@tandem/runtime';
import type { ControlPlane } from '../../control-plane/index.ts';
import { connectClient } from '../../support/connected-client.ts';
import type { BenchPorts } from '../report.ts';
import { aHeartbeat, aNode, nodeName } from './node-objects.ts';

const nodes: Resource = { group: '', version: 'v1', resource: 'nodes' };

/** Enough to keep a small API server busy. */
const concurrency = 32;

export class Load {
  readonly #client: KubeClient;
  readonly #clock: Clock;
  readonly #say: (line: string) => void;

  private constructor(client: KubeClient, clock: Clock, say: (line: string) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#say = say;
  }

  static async connect({ kubeconfig }: ControlPlane, { clock, say }: BenchPorts): Promise<Load> {
    const { client } = await connectClient(kubeconfig, { userAgent: 'bench', concurrency });
    return new Load(client, clock, say);
  }

  async createNodes(count: number, make: (number: number) => object = aNode): Promise<void> {
    await this.#each('nodes created', count, async (number) => {
      await this.#client.call({ verb: 'create', resource: nodes, body: make(number) });
    });
  }

  /** Changes the label of every node in turn. Returns the version of the last change. */
  async updateNodes(count: number, { among }: { readonly among: number }): Promise<string> {
    let newest = 0;
    await this.#each('updates', count, async (number) => {
      const resource = { ...nodes, name: nodeName(number % among) };
      const labels = { round: String(Math.floor(number / among)) };
      newest = Math.max(newest, await this.#patch(resource, { metadata: { labels } }));
    });
    return String(newest);
  }

  /** Sends heartbeats at a steady rate. Returns the version of the last one. */
  async beat(options: {
    readonly perSecond: number;
    readonly seconds: number;
    readonly among: number;
  }): Promise<string> {
    const { perSecond, seconds, among } = options;
    const startMs = this.#clock.monotonic();
    const beats: Promise<number>[] = [];
    for (let number = 0; number < perSecond * seconds; number += 1) {
      await sleep(this.#clock, startMs + (number * 1000) / perSecond - this.#clock.monotonic());
      const time = `${new Date(this.#clock.now()).toISOString().slice(0, 19)}Z`;
      const resource = { ...nodes, name: nodeName(number % among), subresource: 'status' };
      beats.push(this.#patch(resource, aHeartbeat(time)));
    }
    return String(Math.max(...(await Promise.all(beats))));
  }

  async #patch(resource: Resource, body: object): Promise<number> {
    const contentType = 'application/strategic-merge-patch+json';
    const answer = await this.#client.call({ verb: 'patch', resource, body, contentType });
    const object: { metadata: { resourceVersion: string } } = JSON.parse(
      Buffer.from(answer.body).toString(),
    );
    return Number(object.metadata.resourceVersion);
  }

  async #each(what: string, count: number, act: (number: number) => Promise<void>): Promise<void> {
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < count) {
        const number = begun;
        begun += 1;
        await act(number);
        if ((number + 1) % 1000 === 0) this.#say(`${number + 1} of ${count} ${what}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }
}
