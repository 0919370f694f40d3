/**
 * A person who follows the pages: a checkout, a home with a kubeconfig, a terminal, and the commands of the pages as
 * they are. Stand-ins replace programs that this machine lacks; they only print how they were called.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { readGuide, showsLines, type Step } from '../../support/guides/read-guide.ts';
import { Terminal } from './terminal.ts';

export const root: string = join(import.meta.dirname, '../../..');

type Environment = Readonly<Record<string, string | undefined>>;

interface Typing {
  /** What the reader types instead of words of the page, such as a host name. */
  readonly replace?: Readonly<Record<string, string>>;
  /** The expected exit code of the last command. */
  readonly exitCode?: number;
}

const standIns = ['birdc', 'ssh'];

export class Reader implements AsyncDisposable {
  /** The checkout, with the files that the pages have the reader write. */
  readonly directory: string;
  readonly #home: string;
  readonly #environment: Environment;
  readonly #terminal: Terminal;
  readonly #typed: Set<string>;

  private constructor(home: string, environment: Environment, typed: Set<string>) {
    this.#home = home;
    this.directory = join(home, 'tandem');
    this.#environment = environment;
    this.#terminal = this.open();
    this.#typed = typed;
  }

  static async start(options: {
    readonly environment: Environment;
    /** Programs that are not on the PATH, by name. */
    readonly programs: Readonly<Record<string, string>>;
    /** Collects the blocks that were typed, as `page:line`. */
    readonly typed: Set<string>;
  }): Promise<Reader> {
    const home = await mkdtemp(join(tmpdir(), 'tandem-reader-'));
    const checkout = join(home, 'tandem');
    const programs = join(home, '.local/bin');
    for (const each of [checkout, programs, join(home, '.kube')])
      await mkdir(each, { recursive: true });
    for (const entry of await readdir(root)) {
      if (!entry.startsWith('.')) await symlink(join(root, entry), join(checkout, entry));
    }
    for (const [name, path] of Object.entries(options.programs)) {
      await symlink(path, join(programs, name));
    }
    for (const name of standIns) {
      await writeFile(join(programs, name), `#!/bin/sh\necho "${name} $*"\n`, { mode: 0o755 });
    }
    const environment = {
      ...options.environment,
      HOME: home,
      // Programs that were built once are found again.
      XDG_CACHE_HOME: environmentCache(options.environment),
      KUBECONFIG: undefined,
      PATH: [programs, options.environment['PATH']].join(delimiter),
      npm_config_update_notifier: 'false',
    };
    return new Reader(home, environment, options.typed);
  }

  /** Makes this the cluster of `~/.kube/config`. */
  useCluster(kubeconfig: string): Promise<void> {
    return copyFile(kubeconfig, join(this.#home, '.kube/config'));
  }

  /** The commands of the block with these words, without `npm ci`, which has been run already. */
  take(page: string, words: string): Step {
    const found = readGuide(readFileSync(join(root, page), 'utf8')).filter(({ commands }) =>
      commands.includes(words),
    );
    const [step] = found;
    assert.ok(
      step !== undefined && found.length === 1,
      `${page}: ${found.length} blocks have ${words}`,
    );
    this.#typed.add(`${page}:${step.line}`);
    return { ...step, commands: step.commands.replace(/^npm ci(?: && |\n)/, '') };
  }

  /** Types a block and returns its output, which must contain the output on the page. */
  async run(
    page: string,
    words: string,
    { replace = {}, exitCode = 0 }: Typing = {},
  ): Promise<string> {
    const step = this.take(page, words);
    const commands = replaced(step.commands, replace);
    const output = await this.type(
      exitCode === 0 ? commands : `{\n${commands}\n} || echo "exit code $?"`,
    );
    if (exitCode !== 0) assert.match(output, new RegExp(`^exit code ${exitCode}$`, 'm'));
    const shown = `${page}:${step.line} shows\n${output}\nin place of\n${step.expected.join('\n')}`;
    assert.ok(showsLines(output, step.expected), shown);
    return output;
  }

  /** Types commands that are on no page, as a preparation. */
  type(commands: string): Promise<string> {
    return this.#terminal.run(commands);
  }

  /** Types a block that keeps a terminal of its own busy. */
  begin(page: string, words: string, { more = '' }: { readonly more?: string } = {}): Terminal {
    const terminal = this.open();
    terminal.type(`${this.take(page, words).commands} ${more}\n`);
    return terminal;
  }

  /** A terminal of its own. */
  open(): Terminal {
    return new Terminal({ directory: this.directory, environment: this.#environment });
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(join(this.directory, file), text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminal[Symbol.asyncDispose]();
    await rm(this.#home, { recursive: true, force: true });
  }
}

function environmentCache(environment: Environment): string {
  return environment['XDG_CACHE_HOME'] ?? join(environment['HOME'] ?? homedir(), '.cache');
}

function replaced(commands: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `the block has no ${from}`);
    return text.replaceAll(from, to);
  }, commands);
}
