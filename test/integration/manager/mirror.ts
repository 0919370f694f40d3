/**
 * What a resource has been like, at every moment, for a watcher with all rights: the objects of now and
 * each change that led there. It goes on over breaks of the server, with a list in place of what it
 * missed.
 */
import { sleep, systemClock } from '@tandem/runtime';
import { type Credentials, open, request } from '../../control-plane/index.ts';

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
    const answer = await request(this.#credentials, { path: this.#path });
    if (answer.status !== 200) throw new Error(answer.text);
    const { metadata, items } = JSON.parse(answer.text);
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
        await this.#watch(version, signal);
      } catch {
        // A server that is away is asked again; the end of this mirror ends the wait.
        await sleep(systemClock, retryMs, signal).catch(() => {});
      }
      version = undefined;
    }
  }

  async #watch(version: string, signal: AbortSignal): Promise<void> {
    const path = `${this.#path}?watch=1&resourceVersion=${version}`;
    const response = await open(this.#credentials, { path }, signal);
    response.setEncoding('utf8');
    let rest = '';
    for await (const chunk of response) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line));
    }
  }

  #take({ type, object }: { readonly type: string; readonly object: Item }): void {
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
