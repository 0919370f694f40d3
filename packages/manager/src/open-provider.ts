/**
 * Creates the provider that the flags name, with the facts about the program and the cluster that it may need. The
 * provider has a minute to start. Its signal aborts when the manager stops waiting.
 */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Importer, loadProvider } from '@tandem/provider/module';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { DeadlineExceededError, withDeadline } from '@tandem/runtime';
import type { CloudSettings } from './settings/index.ts';

type ContextPorts = Pick<
  ProviderContext,
  'clock' | 'random' | 'logger' | 'metrics' | 'environment'
>;

interface OpenProviderOptions extends ContextPorts {
  readonly cloud: CloudSettings;
  readonly importer: Importer;
  /** Aborts when the program has to end. */
  readonly stop: AbortSignal;
}

/** How long a provider may take to start, longer than any cloud's login takes. */
const providerMsMax = 60_000;

export async function openProvider(options: OpenProviderOptions): Promise<Provider> {
  const { cloud, importer, stop, clock, random, metrics, environment } = options;
  const { provider, ...settings } = cloud;
  const logger = options.logger.child({ provider });
  const context = { ...settings, clock, random, logger, metrics, environment };
  try {
    return await withDeadline({ clock, limitMs: providerMsMax, signal: stop }, (signal) =>
      loadProvider(provider, { importer, context: { ...context, signal } }),
    );
  } catch (err) {
    if (!(err instanceof DeadlineExceededError)) throw err;
    const seconds = providerMsMax / 1_000;
    throw new Error(
      `The cloud provider ${provider} was not ready within ${seconds} s. Check what it needs at startup: its credentials, its configuration file, the connection to its cloud.`,
      { cause: err },
    );
  }
}

/**
 * Imports the module that `--cloud-provider` names. It imports our own providers by literal names, so that the bundler
 * makes a chunk of each and a process loads only the one that it uses.
 */
export const importProvider: Importer = async (source) => {
  if (source.kind === 'module') return import(source.specifier);
  switch (source.name) {
    case 'aws':
      return import('@tandem/provider-aws');
    case 'azure':
      return import('@tandem/provider-azure');
    case 'static':
      return import('@tandem/provider-static');
    case 'simulated':
      return import('@tandem/provider-simulated');
  }
};

/** Returns whether `import()` would find the module, without running it. */
export function hasModule(specifier: string): boolean {
  try {
    const url = import.meta.resolve(specifier);
    return !url.startsWith('file:') || statSync(fileURLToPath(url)).isFile();
  } catch {
    // A module that cannot be resolved or read cannot be loaded either.
    return false;
  }
}
