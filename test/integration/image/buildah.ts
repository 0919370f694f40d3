/** Debian's buildah with a store of its own: no daemon, no registry, no overlay file system. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { debianProgramOrSkip, skipWithout } from '../../support/debian-program.ts';

export class Buildah implements AsyncDisposable {
  readonly directory: string;
  readonly #program: string;

  /** Call it in a `before` hook. */
  static async open(context: Mocha.Context): Promise<Buildah> {
    const program = await debianProgramOrSkip(context, { program: 'buildah', package: 'buildah' });
    if (process.getuid?.() !== 0) {
      return skipWithout(context, 'buildah', 'Only root can build an image here.');
    }
    return new Buildah(program, await mkdtemp(join(tmpdir(), 'tandem-image-')));
  }

  private constructor(program: string, directory: string) {
    this.#program = program;
    this.directory = directory;
  }

  /** Returns its output. */
  async run(...args: readonly string[]): Promise<string> {
    const store = ['root', 'runroot'].map((each) => `--${each}=${join(this.directory, each)}`);
    const all = [...store, '--storage-driver=vfs', ...args];
    const { stdout } = await promisify(execFile)(this.#program, all, { maxBuffer: 16 << 20 });
    return stdout.trim();
  }

  /** Adds an image that is a root directory and nothing else, for one architecture, to a manifest list. */
  async addRoot(root: string, list: string, architecture: string): Promise<void> {
    const container = await this.run('from', 'scratch');
    await this.run('add', '--quiet', container, root, '/');
    await this.run('config', `--arch=${architecture}`, container);
    const image = await this.run('commit', '--quiet', '--rm', container);
    await this.run('manifest', 'add', list, image);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run('umount', '--all');
    await rm(this.directory, { recursive: true, force: true });
  }
}
