/**
 * Upstream's kube-controller-manager as a program, built with Go once, when a bench first asks for it. It is
 * a Go module of its own because it needs more modules than the control plane: listing them in the control
 * plane's go.mod would have everybody build kube-apiserver again.
 */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildKubeControllerManager(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'kube-controller-manager',
    title: "upstream's kube-controller-manager",
    folder: join(import.meta.dirname, 'program'),
  };
  return buildGoProgram(program, environment, sink);
}
