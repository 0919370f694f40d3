/** Upstream's elector as a program, built with Go once. */
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../../../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildUpstreamElector(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'upstream-elector',
    title: 'an elector of client-go',
    folder: import.meta.dirname,
  };
  return buildGoProgram(program, environment, sink);
}
