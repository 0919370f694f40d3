/**
 * `kubeadm`, which checks the files of its guide, built from its public module with Go once. It is a Go module of its
 * own, so that the control plane need not be built again for it.
 */
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { buildGoProgram } from '../support/go-program.ts';

/** The path of the program; `undefined` where there is no Go to build it with. */
export function buildKubeadm(
  environment: Environment,
  /** Told that it takes a while. */
  sink: { write(text: string): unknown },
): Promise<string | undefined> {
  const program = {
    name: 'kubeadm',
    title: 'kubeadm',
    folder: join(import.meta.dirname, 'program'),
    package: 'k8s.io/kubernetes/cmd/kubeadm',
  };
  return buildGoProgram(program, environment, sink);
}
