/** Tandem as it ships: the bundle, by its own start line, with its default flags. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsFile } from '../counting-provider.ts';
import type { Contender } from './contender.ts';
import { startProgram } from './start-program.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(root, 'dist', 'cloud-controller-manager.js');

export interface TandemOptions {
  readonly kubeconfig: string;
  /** The file with the inventory. */
  readonly inventory: string;
  readonly logFile: string;
}

export function tandem(options: TandemOptions): Contender {
  return { name: 'Tandem', start: () => startTandem('static', options) };
}

/** With a provider, given by its path, that counts what it is asked. */
export function countedTandem(provider: string, options: TandemOptions): Contender {
  return {
    name: 'Tandem, cloud calls counted',
    async start() {
      const running = await startTandem(provider, options);
      const cloudCalls = async (): Promise<number> =>
        Number(await readFile(callsFile(options.inventory), 'utf8'));
      return { ...running, cloudCalls };
    },
  };
}

function startTandem(
  provider: string,
  { kubeconfig, inventory, logFile }: TandemOptions,
): ReturnType<typeof startProgram> {
  const flags = [`--cloud-provider=${provider}`, `--cloud-config=${inventory}`];
  return startProgram([program, ...flags, `--kubeconfig=${kubeconfig}`], logFile);
}
