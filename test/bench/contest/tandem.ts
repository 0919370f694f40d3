/** Tandem as it ships: the bundle, by its own start line, with its default flags and those of the bench. */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import type { Contender } from './contender.ts';
import { startProgram } from './start-program.ts';

const program = join(import.meta.dirname, '..', '..', '..', 'dist', 'cloud-controller-manager.js');

export interface TandemOptions {
  /** Its name in the output; `Tandem` by default. */
  readonly name?: string;
  readonly kubeconfig: string;
  /** The provider static by default; otherwise another of ours, or the path of a module. */
  readonly provider?: string;
  /** The file of `--cloud-config`. */
  readonly inventory: string;
  readonly flags?: readonly string[];
  /** Variables beside those of the bench itself. */
  readonly environment?: Environment;
  readonly logFile: string;
}

export function tandem(options: TandemOptions): Contender {
  const { name = 'Tandem', kubeconfig, provider = 'static', inventory, flags = [] } = options;
  const command = [
    program,
    `--cloud-provider=${provider}`,
    `--cloud-config=${inventory}`,
    `--kubeconfig=${kubeconfig}`,
    ...flags,
  ] as const;
  const { logFile, environment } = options;
  return { name, start: () => startProgram(command, logFile, environment) };
}
