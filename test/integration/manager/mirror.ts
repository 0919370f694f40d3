/**
 * Mirrors a resource for a watcher with all rights: the current objects and every state that they had. After an outage
 * of the server, it lists the objects again.
 */
import { sleep, systemClock } from '@tandem/runtime';
import { type Credentials, requestOk, watch, type WatchEvent } from '../../control-plane/index.ts';

export interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

export class Mirror<Item extends KubeObject> {
  /** By name. */
  readonly objects: Map<string, Item> = new Map();
  /** Every state that was seen, in order. */
  readonly history: Item[] = [];
  readonly #credentials: Credentials;
  readonly #path: string;
  readonly #stopping = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(credentials: Credentials, path: string) {
    this.#credentials = credentials;
    this.#path = path;
  }

  async start(): Promise<void> {
    const version = await this.#list();
    this.#following = this.#follow(version);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #list(): Promise<string> {
    const { text } = await requestOk(this.#credentials, { path: this.#path });
    const { metadata, items } = JSON.parse(text);
    this.objects.clear();
    for (const item of items) this.#see(item);
    return metadata.resourceVersion;
  }

  async #follow(from: string): Promise<void> {
    const { signal } = this.#stopping;
    let version: string | undefined = from;
    while (!signal.aborted) {
      try {
        version ??= await this.#list();
        const path = `${this.#path}?watch=1&resourceVersion=${version}`;
        const events = watch<Item>(this.#credentials, path, signal);
        for await (const event of events) this.#take(event);
      } catch {
        // Tries again while the server is away. Stopping this mirror ends the wait.
        await sleep(systemClock, retryMs, signal).catch(() => {});
      }
      version = undefined;
    }
  }

  #take({ type, object }: WatchEvent<Item>): void {
    if (type === 'ERROR') throw new Error(JSON.stringify(object));
    if (type === 'DELETED') this.objects.delete(object.metadata.name);
    else this.#see(object);
  }

  #see(item: Item): void {
    this.objects.set(item.metadata.name, item);
    this.history.push(item);
  }
}

const retryMs = 100;
