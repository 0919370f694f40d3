/**
 * What `--cloud-provider` names: one of ours by its short name, or anybody's module by its path or the
 * name of its package. A path is told by its beginning, so that a folder called `static` in the place
 * where the program happens to run never takes the place of the provider.
 */
import { pathToFileURL } from 'node:url';

export const ownProviders = ['aws', 'azure', 'static', 'simulated'] as const;

export type OwnProvider = (typeof ownProviders)[number];

export type ProviderSource =
  | { readonly kind: 'own'; readonly name: OwnProvider }
  /** `specifier` is what `import()` takes. */
  | { readonly kind: 'module'; readonly specifier: string };

export function providerSourceOf(text: string): ProviderSource {
  const name = ownProviders.find((own) => own === text);
  if (name !== undefined) return { kind: 'own', name };
  const isPath = /^(?:\.{1,2}\/|\/)/.test(text);
  // Relative to where the program runs, as every other file that is given by a flag.
  return { kind: 'module', specifier: isPath ? pathToFileURL(text).href : text };
}
