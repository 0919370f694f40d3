/**
 * Loads the provider that `--cloud-provider` names. The caller passes in the import function, because only the
 * program may import a module whose name is unknown at build time.
 */
import { printable, quote } from '@tandem/core/node-address';
import { CcmError } from '@tandem/runtime';
import type { Provider, ProviderContext, ProviderModule } from '../plug/index.ts';
import { ProviderLoadError } from './load-error.ts';
import { ownProviders, type ProviderSource, providerSourceOf } from './provider-source.ts';
import { readProvider, readProviderModule } from './read-provider.ts';

/** Imports a module. Our own providers are imported by constant names, so that a bundler sees them. */
export type Importer = (source: ProviderSource) => Promise<unknown>;

export async function loadProvider(
  text: string,
  options: { readonly importer: Importer; readonly context: ProviderContext },
): Promise<Provider> {
  const label = `--cloud-provider=${printable(text, 200)}`;
  const module = readProviderModule(await importModule(text, options.importer), label);
  return readProvider(await create(module, options.context, label), label);
}

/** Keeps the wording of a provider's error, and adds the provider's name if it is missing. */
async function create(
  module: ProviderModule,
  context: ProviderContext,
  label: string,
): Promise<unknown> {
  try {
    return await module.createProvider(context);
  } catch (err) {
    if (err instanceof CcmError || context.signal.aborted) throw err;
    throw new CcmError(`${label}: ${wordsOf(err)}`, {
      code: 'ProviderNotCreated',
      retry: 'never',
      effect: 'none',
      cause: err,
    });
  }
}

function wordsOf(err: unknown): string {
  if (!(err instanceof Error)) return String(err);
  return err.message === '' ? `createProvider threw ${err.name}` : err.message;
}

async function importModule(text: string, importer: Importer): Promise<unknown> {
  const source = providerSourceOf(text);
  try {
    return await importer(source);
  } catch (err) {
    const reason = err instanceof Error ? printable(err.message, 300) : 'unknown reason';
    throw new ProviderLoadError(
      'ProviderModuleNotLoaded',
      `Cannot load the cloud provider ${quote(text, 200)} (${reason}). Use a package name, a path ` +
        `that starts with / or ./, or one of ${ownProviders.join(', ')}`,
      err,
    );
  }
}
