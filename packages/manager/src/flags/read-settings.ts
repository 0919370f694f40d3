/**
 * Everything that the program is told, by flags and by the file of `--config`, read and checked together:
 * a user who made three mistakes in two places reads all three at once.
 */
import { echoMax, type StartupNote, suggestion } from '@tandem/cli/flags';
import { enumerate, quote } from '@tandem/core/node-address';
import { guidePath, ownProviders, providerSourceOf } from '@tandem/provider/module';
import { readConfiguration } from '../config/index.ts';
import type { ManagerSettings } from '../settings/index.ts';
import { isCloud, parseCommandLine, type RunLine } from './command-line.ts';
import { joinConfiguration } from './join-configuration.ts';

export type ReadSettings =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly format: 'text' | 'raw' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  | {
      readonly kind: 'run';
      readonly settings: ManagerSettings;
      /** What people should read in the log at the start. */
      readonly notes: readonly StartupNote[];
      /** Every flag and the text that counts for it, given or by default. */
      readonly flags: ReadonlyMap<string, string>;
    };

export interface ReadSettingsOptions {
  readonly args: readonly string[];
  /** Rejects, with the `code` of the system where there is one, when the file cannot be read. */
  readonly readFile: (path: string) => Promise<string>;
  readonly hasModule: HasModule;
}

export async function readSettings(options: ReadSettingsOptions): Promise<ReadSettings> {
  const parsed = parseCommandLine(options.args);
  return parsed.kind === 'run' ? readFiles(parsed, options) : parsed;
}

async function readFiles(
  line: RunLine,
  { readFile, hasModule }: ReadSettingsOptions,
): Promise<ReadSettings> {
  const { configFile: path, gates, cloud } = line.settings;
  const configuration = await readConfiguration({ path, readFile, gates });
  // Where the flag itself is wrong, that was said.
  const unavailable = isCloud(cloud.provider)
    ? providerProblem(cloud.provider, hasModule)
    : undefined;
  const { settings, notes, problems } = joinConfiguration(line, configuration);
  const all = [...(unavailable === undefined ? [] : [unavailable]), ...problems];
  return all.length > 0
    ? { kind: 'refused', problems: all }
    : { kind: 'run', settings, notes, flags: line.flags };
}

/** Whether there is something that `import()` would find under this specifier. */
type HasModule = (specifier: string) => boolean;

/** What is wrong with the value of `--cloud-provider`, told before anything is loaded. */
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
