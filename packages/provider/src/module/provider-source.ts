/**
 * Reads the value of `--cloud-provider`: the short name of one of our providers, or the path or package name of any
 * module. Only a value that begins like a path is a path, so a folder named `static` in the working directory never
 * replaces the provider `static`.
 */
import { pathToFileURL } from 'node:url';

export const ownProviders = ['aws', 'azure', 'static', 'simulated'] as const;

export type OwnProvider = (typeof ownProviders)[number];

export type ProviderSource =
  | { readonly kind: 'own'; readonly name: OwnProvider }
  /** `specifier` is the argument of `import()`. */
  | { readonly kind: 'module'; readonly specifier: string };

export function providerSourceOf(text: string): ProviderSource {
  const name = ownProviders.find((own) => own === text);
  if (name !== undefined) return { kind: 'own', name };
  const isPath = /^(?:\.{1,2}\/|\/)/.test(text);
  // Relative to the working directory, like every other file that a flag names.
  return { kind: 'module', specifier: isPath ? pathToFileURL(text).href : text };
}
