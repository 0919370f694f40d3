/**
 * A program of Talos's own configuration packages, which reads the patches of its guide, built with Go once. `talosctl`
 * itself would be a far larger build, and its `gen config` calls the same packages.
 */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildTalosConfig(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'talos-config',
    title: "Talos's reader of configurations",
    folder: join(import.meta.dirname, 'program'),
  };
  return buildGoProgram(program, environment, sink);
}
