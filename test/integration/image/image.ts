/** The image of this tree, built from a local base, and how to run it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Buildah } from './buildah.ts';
import { makeNodeRoot } from './node-root.ts';

const tree = join(import.meta.dirname, '../../..');

export interface Image {
  readonly name: string;
  readonly base: string;
  /** Its configuration, as the OCI specifies it. */
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Labels: Readonly<Record<string, string>>;
  };
}

export interface Container {
  /** Where the container's files are on this machine. */
  readonly root: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly folders: readonly string[];
}

export async function buildImage(buildah: Buildah, commit: string): Promise<Image> {
  const [name, base] = ['localhost/tandem', 'localhost/node'];
  const root = join(buildah.directory, 'base');
  await mkdir(root);
  await makeNodeRoot(root);
  await buildah.commitRoot(root, base);
  const given = { BASE: base, COMMIT: commit };
  const args = Object.entries(given).map(([key, value]) => `--build-arg=${key}=${value}`);
  await buildah.run('build', '--isolation=chroot', '--pull-never', ...args, '--tag', name, tree);
  const inspected = JSON.parse(await buildah.run('inspect', '--type=image', name));
  return { name, base, config: inspected.OCIv1.config };
}

/** A container of an image, with nothing running in it. */
export async function createContainer(
  buildah: Buildah,
  image: Image,
  folders: readonly string[] = [],
): Promise<Container> {
  const root = await buildah.run('mount', await buildah.run('from', '--pull-never', image.name));
  const { User: user, Env, Entrypoint: entrypoint } = image.config;
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
