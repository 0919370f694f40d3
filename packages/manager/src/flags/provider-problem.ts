/** What is wrong with the value of `--cloud-provider`, told before anything is loaded. */
import { enumerate, quote } from '@tandem/core/node-address';
import { guidePath, ownProviders, providerSourceOf } from '@tandem/provider/module';
import { echoMax, suggestion } from '@tandem/cli/flags';

/** Whether there is something that `import()` would find under this specifier. */
export type HasModule = (specifier: string) => boolean;

export function providerProblem(text: string, hasModule: HasModule): string | undefined {
  const source = providerSourceOf(text);
  if (source.kind === 'own' || hasModule(source.specifier)) return undefined;
  const given = `--cloud-provider ${quote(text, echoMax)}`;
  if (source.specifier !== text) return `${given} is not a file: ${choices}`;
  const meant = suggestion(text, ownProviders);
  const advice = meant === undefined ? choices : `did you mean ${meant}? If not, ${choices}`;
  return `${given} is not available in this version, and no package of that name is installed: ${advice}`;
}

const choices = `this version has ${enumerate([...ownProviders], 200)}; or give the path or package name of your own module (${guidePath})`;
