/** Upstream's manager as a program, built with Go once. */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildUpstreamManager(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'upstream-manager',
    title: "upstream's cloud-controller-manager",
    folder: join(import.meta.dirname, 'program'),
  };
  return buildGoProgram(program, environment, sink);
}
