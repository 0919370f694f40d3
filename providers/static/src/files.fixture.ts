/** A file system in memory, and a static provider on it in virtual time. */
import type { NodeRef, Provider } from '@tandem/provider/plug';
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import type { FileSystem } from './file-system.ts';
import type { TableFiles } from './route-table/index.ts';
import { createStaticProvider } from './static-provider.ts';

export const head = 'apiVersion: tandem.dev/v1alpha1\nkind: StaticInventory\n';

/** An entry on one line, for tests in which only its name matters. */
export const plain = (name: string, rest = ''): string =>
  `  - {name: ${name}, addresses: [{type: InternalIP, address: 10.0.0.1}]${rest}}\n`;

export class MemoryFile implements FileSystem {
  #text: string | undefined;
  #version = 0;
  reads = 0;
  /** Called during each read. */
  onRead: (() => void) | undefined;

  constructor(text?: string) {
    this.#text = text;
  }

  /** Undefined deletes the file. */
  write(text: string | undefined): void {
    this.#text = text;
    this.#version++;
  }

  async version(): Promise<string> {
    if (this.#text === undefined) throw missing();
    return String(this.#version);
  }

  async read(_path: string, bytesMax: number): Promise<string | undefined> {
    if (this.#text === undefined) throw missing();
    this.reads++;
    const text = this.#text;
    this.onRead?.();
    return text.length > bytesMax ? undefined : text;
  }
}

function missing(): Error {
  return Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' });
}

/** A node as the manager looks it up. */
export const aRef = (name: string, providerID = ''): NodeRef => ({
  name,
  uid: 'u',
  providerID,
  labels: {},
  systemUUID: '',
});

export interface StaticWorld {
  readonly clock: VirtualClock;
  readonly file: MemoryFile;
  readonly provider: Provider;
  readonly log: Record<string, unknown>[];
  /** Looks a node up and returns the kind of the answer; for `unknown`, with its message. */
  readonly ask: (node: { name: string; providerID?: string }, maxAgeMs?: number) => Promise<string>;
}

export async function aStaticWorld(text: string, tables?: TableFiles): Promise<StaticWorld> {
  const clock = virtualClock();
  const file = new MemoryFile(text);
  const log: Record<string, unknown>[] = [];
  const logger = createLogger({
    clock,
    destination: { write: (line: string) => log.push(JSON.parse(line)) },
  });
  const opening = createStaticProvider(
    {
      configPath: 'inventory.yaml',
      clock,
      random: seededRandom('static'),
      logger,
      metrics: createMetrics(),
    },
    file,
    tables,
  );
  // The provider pauses while it reads a long inventory, so the clock has to advance.
  const [provider] = await Promise.all([opening, clock.advance(0)]);
  return {
    clock,
    file,
    provider,
    log,
    async ask({ name, providerID = '' }, maxAgeMs = 60_000) {
      const asking = provider.lookup([aRef(name, providerID)], {
        maxAgeMs,
        signal: new AbortController().signal,
      });
      if (maxAgeMs === 0) await clock.advance(1_000);
      const answer = (await asking).get(name);
      return answer?.kind === 'unknown' ? `unknown: ${answer.err.message}` : `${answer?.kind}`;
    },
  };
}
