/** The rules of promtool as a program, built with Go once. */
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../../../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildPromlint(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'promlint',
    title: 'the rules of promtool',
    folder: import.meta.dirname,
  };
  return buildGoProgram(program, environment, sink);
}
