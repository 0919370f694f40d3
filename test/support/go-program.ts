/**
 * Programs that tests, benches and tools build once with Go. They are kept in the user's cache, outside the tree, under
 * names that change with their sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { findOnPath } from './on-path.ts';
import { bequeathRemoval, CapturedProcess } from './process/index.ts';

interface GoProgram {
  /** Its name in the cache. */
  readonly name: string;
  /** What it is, for users who wait for the build: `an elector of client-go`. */
  readonly title: string;
  /** The folder of its module, with `go.mod`, `go.sum` and the sources, and no folders below. */
  readonly folder: string;
  /** The package to build, if it is a public one that the module has as a tool. */
  readonly package?: string;
}

type ProgramName =
  | 'helm'
  | 'kubeadm'
  | 'talosConfig'
  | 'kubeControllerManager'
  | 'upstreamManager'
  | 'upstreamAWSManager'
  | 'elector';

const test = join(import.meta.dirname, '..');

/**
 * The programs that tests, benches and tools build. Each is a Go module of its own: if the module of the control plane
 * listed their dependencies, each change of these would build kube-apiserver again.
 */
export const goPrograms: Readonly<Record<ProgramName, GoProgram>> = {
  helm: {
    name: 'helm',
    title: 'helm',
    folder: join(test, 'helm/program'),
    package: 'helm.sh/helm/v4/cmd/helm',
  },
  kubeadm: {
    name: 'kubeadm',
    title: 'kubeadm',
    folder: join(test, 'kubeadm/program'),
    package: 'k8s.io/kubernetes/cmd/kubeadm',
  },
  // Talos's own configuration packages read the patches of its guide. `talosctl` would be a far larger build, and its
  // `gen config` calls the same packages.
  talosConfig: {
    name: 'talos-config',
    title: "Talos's reader of configurations",
    folder: join(test, 'talos/program'),
  },
  kubeControllerManager: {
    name: 'kube-controller-manager',
    title: "upstream's kube-controller-manager",
    folder: join(test, 'kube-controller-manager/program'),
  },
  upstreamManager: {
    name: 'upstream-manager',
    title: "upstream's cloud-controller-manager",
    folder: join(test, 'upstream-manager/program'),
  },
  upstreamAWSManager: {
    name: 'upstream-aws-manager',
    title: "upstream's cloud-controller-manager for AWS",
    folder: join(test, 'upstream-aws-manager/program'),
  },
  elector: {
    name: 'upstream-elector',
    title: 'an elector of client-go',
    folder: join(test, 'integration/kube/elector'),
  },
};

/** The path of the program; rejects without Go to build it. */
export async function requireGoProgram(program: GoProgram): Promise<string> {
  const path = await buildGoProgram(program);
  if (path !== undefined) return path;
  throw new Error(`there is no Go to build ${program.title} with; install Go 1.26 or newer`);
}

/** The same for a `before` hook: skips without Go, or fails with `REQUIRE_CONTROL_PLANE=1`. */
export async function goProgramOrSkip(context: Mocha.Context, program: GoProgram): Promise<string> {
  context.timeout(buildMsMax);
  const isRequired = systemEnvironment()['REQUIRE_CONTROL_PLANE'] === '1';
  const path = await (isRequired ? requireGoProgram(program) : buildGoProgram(program));
  if (path !== undefined) return path;
  context['skipReason'] = `no Go to build ${program.title} with`;
  return context.skip();
}

/** Room for a cold build on two busy cores. */
const buildMsMax = 30 * 60_000;

/** The path of the program; `undefined` without Go to build it. */
export async function buildGoProgram(
  program: GoProgram,
  environment: Environment = systemEnvironment(),
  /** Gets a line before a build. */
  sink: { write(text: string): unknown } = process.stderr,
): Promise<string | undefined> {
  const directory = join(cacheHome(environment), 'tandem', program.name);
  const file = join(directory, fileName(program));
  if (existsSync(file)) return file;
  const go = findOnPath('go', environment);
  if (go === undefined) return undefined;
  sink.write(`Building ${program.title}, once, into ${directory}; this takes minutes.\n`);
  await goBuild({ go, ...program, file, environment });
  return file;
}

/**
 * Builds a package of the module in `folder` into a file, which appears only when it is complete. If this process dies,
 * Go and its compilers end, and their files are removed.
 */
export async function goBuild(options: {
  /** The path of the Go command. */
  readonly go: string;
  readonly folder: string;
  readonly package?: string;
  /** By default those that leave out symbols. */
  readonly linkerFlags?: string;
  readonly file: string;
  readonly environment: Environment;
}): Promise<void> {
  const { go, folder, linkerFlags = '-s -w', file } = options;
  await mkdir(dirname(file), { recursive: true });
  const scratch = await mkdtemp(join(dirname(file), 'building-'));
  const bequest = bequeathRemoval([scratch]);
  try {
    const built = join(scratch, 'built');
    const flags = [`-ldflags=${linkerFlags}`, '-o', built];
    const building = new CapturedProcess([go, 'build', ...flags, options.package ?? '.'], {
      directory: folder,
      // Without cgo, the build needs no C compiler, and the programs need no libraries.
      environment: { ...options.environment, CGO_ENABLED: '0', GOWORK: 'off' },
    });
    const { code } = await building.exited;
    if (code !== 0) throw new Error(`go build failed:\n${building.tail.trim()}`);
    await rename(built, file);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    bequest[Symbol.dispose]();
  }
}

/** The XDG base directory. Its specification says to ignore a relative one. */
export function cacheHome(environment: Environment): string {
  const named = environment['XDG_CACHE_HOME'] ?? '';
  return isAbsolute(named) ? named : join(environment['HOME'] ?? homedir(), '.cache');
}

/** The name changes with everything that may change the build. */
function fileName({ name, folder }: GoProgram): string {
  const digest = createHash('sha256');
  for (const source of readdirSync(folder).filter(isSource).toSorted()) {
    digest.update(source).update(readFileSync(join(folder, source)));
  }
  return `${name}-${process.platform}-${process.arch}-${digest.digest('hex').slice(0, 8)}`;
}

function isSource(name: string): boolean {
  return name.endsWith('.go') || name === 'go.mod' || name === 'go.sum';
}
