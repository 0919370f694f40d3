/** Runs the provider against the fake of Azure, through the real SDKs, with its own configuration file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from '@tandem/provider/plug';
import {
  afterTurn,
  createLogger,
  createMetrics,
  type Environment,
  type Metrics,
} from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { FakeAzure } from '../../../test/support/arm/index.ts';
import { createProvider } from './index.ts';

export interface AzureWorld extends AsyncDisposable {
  readonly azure: FakeAzure;
  readonly provider: Provider;
  readonly clock: VirtualClock;
  /** All log lines. */
  readonly log: readonly string[];
  readonly metrics: Metrics;
  /** Rewrites azure.json, as an operator does to rotate a secret. */
  rewriteConfig(changes: Readonly<Record<string, unknown>> | string): Promise<void>;
}

export interface WorldOptions {
  /** Changes to the fake's default azure.json, or the whole text of the file. */
  readonly config?: Readonly<Record<string, unknown>> | string;
  /** Files beside azure.json. In configuration values and variables, `{folder}` stands for their folder. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly environment?: Environment;
  readonly clusterName?: string;
  /** A fake that a test changed before the provider starts. */
  readonly azure?: FakeAzure;
}

export async function openAzureWorld(options: WorldOptions = {}): Promise<AzureWorld> {
  const azure = options.azure ?? (await FakeAzure.start());
  const trust = azure.trust();
  const folder = await mkdtemp(join(tmpdir(), 'tandem-azure-'));
  const close = async (): Promise<void> => {
    trust[Symbol.dispose]();
    await azure.close();
    await rm(folder, { recursive: true });
  };
  try {
    const inFolder = (text: string): string => text.replaceAll('{folder}', folder);
    for (const [name, text] of Object.entries(options.files ?? {})) {
      await writeFile(join(folder, name), text);
    }
    const configPath = join(folder, 'azure.json');
    const rewriteConfig: AzureWorld['rewriteConfig'] = async (config) => {
      const text = typeof config === 'string' ? config : JSON.stringify(azure.config(config));
      await writeFile(configPath, inFolder(text));
    };
    await rewriteConfig(options.config ?? {});
    const clock = virtualClock();
    const log: string[] = [];
    const metrics = createMetrics();
    const environment = Object.entries(options.environment ?? {});
    const provider = await createProvider({
      configPath,
      clock,
      random: seededRandom('azure'),
      logger: createLogger({ clock, destination: { write: (line) => void log.push(line) } }),
      metrics,
      environment: Object.fromEntries(
        environment.map(([name, value = '']) => [name, inFolder(value)]),
      ),
      clusterName: options.clusterName ?? 'kubernetes',
      clusterCIDRs: [],
      signal: new AbortController().signal,
    });
    return {
      azure,
      provider,
      clock,
      log,
      metrics,
      rewriteConfig,
      async [Symbol.asyncDispose]() {
        await provider.close?.();
        await close();
      },
    };
  } catch (err) {
    await close();
    throw err;
  }
}

/** Waits one turn of the event loop, so that data on sockets is delivered. */
export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => afterTurn(resolve));
}

/** Runs work that waits for sockets and for the clock: half a second of virtual time passes after every 50 turns. */
export async function whileTimePasses<T>({ clock }: AzureWorld, work: Promise<T>): Promise<T> {
  const progress = { isDone: false };
  const ended = work.finally(() => {
    progress.isDone = true;
  });
  ended.catch(() => {});
  while (!progress.isDone) {
    for (let turns = 0; turns < 50; turns++) await turn();
    await clock.advance(500);
  }
  return ended;
}
