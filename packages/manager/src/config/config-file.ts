/** The file of `--config` as a file: whether it is there, and whether it is of a size to be read. */
import type { Gates } from '@tandem/core/node-address';
import { unreadableFile } from '@tandem/runtime';
import { type Configuration, parseConfiguration } from './read-configuration.ts';

/** A ConfigMap, where these files mostly come from, cannot hold more. */
export const textLengthMax: number = 1024 * 1024;

export interface ConfigurationOptions {
  /** Nothing is configured where there is none. */
  readonly path: string | undefined;
  readonly readFile: (path: string) => Promise<string>;
  readonly gates: Gates;
}

export async function readConfiguration({
  path,
  readFile,
  gates,
}: ConfigurationOptions): Promise<Configuration> {
  if (path === undefined) return noConfiguration;
  let text;
  try {
    text = await readFile(path);
  } catch (err) {
    const { problem, fix } = unreadableFile(err, { namedBy: '--config', path });
    return refuse(`${problem} ${fix}`);
  }
  if (text.length > textLengthMax) {
    return refuse(`${path}: the file is longer than ${textLengthMax} characters`);
  }
  return parseConfiguration(text, { path, gates });
}

/** What holds without a file. */
export const noConfiguration: Configuration = {
  policies: [],
  exclusions: [],
  podCIDRPools: [],
  routeSelector: undefined,
  problems: [],
};

function refuse(problem: string): Configuration {
  return { ...noConfiguration, problems: [problem] };
}
