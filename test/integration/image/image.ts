/** The image of this tree for two platforms, built from a local base, and how to run it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buildah } from './buildah.ts';
import { makeNodeRoot } from './node-root.ts';

const tree = join(import.meta.dirname, '../../..');

/** By their OCI names: this machine's, and another one whose programs it cannot run. */
export const architectures: readonly [string, string] =
  process.arch === 'arm64' ? ['arm64', 'amd64'] : ['amd64', 'arm64'];

export interface Image {
  readonly name: string;
  readonly base: string;
  /** What each platform's image is, as the OCI specifies it; the first one is this machine's. */
  readonly platforms: readonly [PlatformImage, PlatformImage];
}

export interface PlatformImage {
  readonly id: string;
  readonly architecture: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
  /** Digests of the layers, those of the base first. */
  readonly layers: readonly string[];
}

export interface Container {
  /** Where the container's files are on this machine. */
  readonly root: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly folders: readonly string[];
}

/** Builds as a release does, without `npm ci`: both platforms at once, with the time of the commit on every file. */
export async function buildImage(buildah: Buildah, commit: string): Promise<Image> {
  const [name, base] = ['localhost/tandem', 'localhost/node'];
  const [own, other] = architectures;
  await buildah.run('manifest', 'create', base);
  const root = join(buildah.directory, 'base');
  await mkdir(root);
  await makeNodeRoot(root);
  await buildah.addRoot(root, base, own);
  await buildah.addRoot(await inertRoot(buildah.directory), base, other);
  const given = { BASE: base, COMMIT: commit, BUILDPLATFORM: `linux/${own}` };
  const args = Object.entries(given).map(([key, value]) => `--build-arg=${key}=${value}`);
  const platform = `--platform=${architectures.map((each) => `linux/${each}`).join(',')}`;
  const how = ['--isolation=chroot', '--pull-never', '--timestamp=1700000000', platform];
  await buildah.run('build', ...how, ...args, '--manifest', name, tree);
  const platforms = [
    await inspectPlatform(buildah, name, own),
    await inspectPlatform(buildah, name, other),
  ] as const;
  return { name, base, platforms };
}

/** A base without programs, so that a build that runs a program of its base fails. */
async function inertRoot(directory: string): Promise<string> {
  const root = join(directory, 'inert');
  await mkdir(root);
  await writeFile(join(root, 'marker'), '');
  return root;
}

async function inspectPlatform(
  buildah: Buildah,
  name: string,
  architecture: string,
): Promise<PlatformImage> {
  const { manifests } = JSON.parse(await buildah.run('manifest', 'inspect', name));
  const found = manifests.find(
    (each: { platform: { architecture: string } }) => each.platform.architecture === architecture,
  );
  const id = `${name}@${found?.digest}`;
  const { OCIv1 } = JSON.parse(await buildah.run('inspect', '--type=image', id));
  const { config, rootfs } = OCIv1;
  return { id, architecture: OCIv1.architecture, config, layers: rootfs.diff_ids };
}

/** A container of an image, without a running process. */
export async function createContainer(
  buildah: Buildah,
  { id, config }: PlatformImage,
  folders: readonly string[] = [],
): Promise<Container> {
  const root = await buildah.run('mount', await buildah.run('from', '--pull-never', id));
  const { User: user, Env, Entrypoint: entrypoint } = config;
  return { root, user, env: variables(Env), entrypoint, folders };
}

/** From lines as `NAME=value`. */
export function variables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
}
