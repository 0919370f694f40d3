/**
 * How the programs are built: the package and version of each, and the version of Go. It is read from the `go.mod`
 * beside this file, for an older minor from that in `minors`. This file runs nothing.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const programs = ['etcd', 'kube-apiserver', 'kubectl'] as const;
export type Program = (typeof programs)[number];

/** The supported minors of Kubernetes. All tests run on the first, a few on each. */
export const minors = ['1.36', '1.35', '1.34'] as const;
export type Minor = (typeof minors)[number];

export interface Recipe {
  /** The module's directory, in which Go is run. */
  readonly directory: string;
  /** The lowest Go that can build it, such as `1.26.0`. */
  readonly goVersion: string;
  readonly versions: Readonly<Record<Program, string>>;
  readonly packages: Readonly<Record<Program, string>>;
  readonly linkerFlags: string;
  /** Set where the programs must be of this minor, so that the programs of the machine do not count. */
  readonly minor?: Minor;
  /** The name of a directory. It changes with everything that may change the build. */
  readonly key: string;
}

export function readMinorRecipe(minor: Minor): Recipe {
  const older = join(import.meta.dirname, 'minors', minor);
  return { ...readRecipe(minor === minors[0] ? undefined : older), minor };
}

export function readRecipe(directory: string = import.meta.dirname): Recipe {
  const goMod = readFileSync(`${directory}/go.mod`, 'utf8');
  const kubernetes = requiredVersion(goMod, 'k8s.io/kubernetes');
  const etcd = requiredVersion(goMod, 'go.etcd.io/etcd/server/v3');
  const linkerFlags = linkerFlagsFor(kubernetes);
  const digest = createHash('sha256')
    .update(goMod)
    .update(readFileSync(`${directory}/go.sum`))
    .update(linkerFlags)
    .digest('hex');
  return {
    directory,
    goVersion: match(goMod, /^go (\S+)$/m, 'a line `go VERSION`'),
    versions: { etcd, 'kube-apiserver': kubernetes, kubectl: kubernetes },
    packages: {
      etcd: 'go.etcd.io/etcd/server/v3',
      'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
      kubectl: 'k8s.io/kubernetes/cmd/kubectl',
    },
    linkerFlags,
    key: [
      `kubernetes-${kubernetes}`,
      `etcd-${etcd}`,
      `${process.platform}-${process.arch}`,
      digest.slice(0, 8),
    ].join('_'),
  };
}

/** Without these, programs that are built from modules report `v0.0.0-master`, and kubectl complains. */
function linkerFlagsFor(version: string): string {
  const [major = '', minor = ''] = version.slice(1).split('.');
  const variables = { gitVersion: version, gitMajor: major, gitMinor: minor };
  const set = Object.entries(variables).map(
    ([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`,
  );
  return ['-s', '-w', ...set].join(' ');
}

function requiredVersion(goMod: string, module: string): string {
  const pattern = new RegExp(`^\\s*(?:require )?${module.replaceAll('.', '\\.')} (v\\S+)`, 'm');
  return match(goMod, pattern, `a requirement of ${module}`);
}

function match(text: string, pattern: RegExp, wanted: string): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`go.mod lacks ${wanted}`);
  return found;
}
