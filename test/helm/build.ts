/** `helm` as people have it, built from its public module with Go once. */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildHelm(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'helm',
    title: 'helm',
    folder: join(import.meta.dirname, 'program'),
    package: 'helm.sh/helm/v4/cmd/helm',
  };
  return buildGoProgram(program, environment, sink);
}
