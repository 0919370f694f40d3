/**
 * Upstream's cloud-controller-manager for AWS as a program, built with Go once, when a bench first asks for it.
 * It is a Go module of its own because it needs newer Kubernetes modules than the other upstream manager.
 */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildUpstreamAWSManager(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'upstream-aws-manager',
    title: "upstream's cloud-controller-manager for AWS",
    folder: join(import.meta.dirname, 'program'),
  };
  return buildGoProgram(program, environment, sink);
}
