/** Runs `kubectl-nodeip __complete WORDS`, which `kubectl_complete-nodeip` calls. */
import type { OptionTable } from '@tandem/cli/options';
import { contextNames } from '@tandem/kube/credentials';
import { CcmError } from '@tandem/runtime';
import { exitOk } from '../exit-codes.ts';
import { optionDeclarations } from '../explain/options.ts';
import { openCluster } from '../live/cluster.ts';
import { CommandError, type OpenPorts } from '../live/ports.ts';
import { liveCommandOptions } from '../live/run-live.ts';
import type { Streams } from '../streams.ts';
import { complete } from './complete.ts';

export async function runCompletion(
  words: readonly string[],
  {
    streams,
    openPorts,
    commands,
  }: {
    readonly streams: Streams;
    readonly openPorts: OpenPorts;
    readonly commands: readonly string[];
  },
): Promise<number> {
  const optionsOf = async (command: string): Promise<OptionTable | undefined> => {
    if (command === 'explain') return optionDeclarations;
    return commands.includes(command) && command !== 'version' ? liveCommandOptions : undefined;
  };
  const nodeNames = (): Promise<readonly string[]> => readNames(words, openPorts);
  const contexts = (): Promise<readonly string[]> => readContexts(words, openPorts);
  const parts = { commands, optionsOf, nodeNames, contextNames: contexts };
  streams.output.write(await complete(words, parts));
  return exitOk;
}

/** Reads the names of nodes from the cluster that the words name. Returns none if the cluster cannot be read. */
async function readNames(
  words: readonly string[],
  openPorts: OpenPorts,
): Promise<readonly string[]> {
  const settings = {
    kubeconfig: valueOf(words, 'kubeconfig'),
    context: valueOf(words, 'context'),
    manager: { kind: 'none' },
    lease: { namespace: '', name: '' },
  } as const;
  try {
    const cluster = await openCluster(settings, await openPorts());
    try {
      return (await cluster.nodes()).map(({ name }) => name);
    } finally {
      await cluster.close();
    }
  } catch (err) {
    if (err instanceof CommandError) return [];
    throw err;
  }
}

/** Returns no contexts if the kubeconfig cannot be read. */
async function readContexts(
  words: readonly string[],
  openPorts: OpenPorts,
): Promise<readonly string[]> {
  const { environment } = await openPorts();
  try {
    return await contextNames({ kubeconfig: valueOf(words, 'kubeconfig'), environment });
  } catch (err) {
    if (err instanceof CcmError) return [];
    throw err;
  }
}

function valueOf(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(`--${name}`);
  const inline = words.find((word) => word.startsWith(`--${name}=`));
  return inline?.slice(name.length + 3) ?? (at < 0 ? undefined : words[at + 1]);
}
