/**
 * `npm run control-plane` as a person meets it: through npm, with kubectl, and with mistakes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { findPrograms } from './binaries/find.ts';
import { testsAtOnce } from './at-once.ts';
import { eventually } from './eventually.ts';
import { installStandIns, realPrograms } from './fixtures/programs.ts';
import { run } from './fixtures/run.ts';
import { aScratch, useScratch, writeScript } from '../support/scratch.ts';
import { requirePrograms } from './mocha.ts';
import { loopback } from './ports.ts';
import { CapturedProcess } from '../support/process/index.ts';

describe('npm run control-plane', function () {
  this.timeout(60_000);

  let kubectl: string | undefined;

  // Both may mean a build, for which this hook has the time.
  before(async function () {
    await requirePrograms(this);
    [kubectl] = await findPrograms(['kubectl']);
  });

  async function untilReady(command: CapturedProcess): Promise<string> {
    return (await command.prints(/^export KUBECONFIG=.*$/m))[0];
  }

  const test = testsAtOnce(3);

  test('prints a line that gives kubectl the cluster, and stops everything on Ctrl-C', async () => {
    using scratch = aScratch();
    const directory = join(scratch.path, "a person's dir");
    await using command = npmRun(directory);
    const exported = await untilReady(command);
    assert.match(command.stdout, /^Ready after \d+\.\d s at https:\/\/127\.0\.0\.1:\d+$/m);

    const script = `${exported}; exec ${kubectl} get namespace default -o name`;
    await using asked = new CapturedProcess(['/bin/sh', '-c', script], {
      environment: systemEnvironment(),
    });
    assert.equal((await asked.exited).code, 0, asked.stderr);
    assert.equal(asked.stdout, 'namespace/default\n');

    // A terminal sends Ctrl-C to the whole group.
    command.signal('SIGINT');
    await command.exited;
    assert.match(command.stderr, /Stopped; nothing is left running\./);
    assert.equal(existsSync(directory), false);
  });

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`stops everything when only npm gets ${signal}`, async () => {
      using scratch = aScratch();
      const directory = join(scratch.path, 'dir');
      await using command = npmRun(directory);
      await untilReady(command);
      command.child.kill(signal);
      await eventually(() => command.stderr.includes('Stopped; nothing is left running.'));
      assert.equal(existsSync(directory), false);
    });
  }

  function npmRun(directory: string): CapturedProcess {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const args = ['--prefix', root, 'run', 'control-plane', '--', directory];
    return new CapturedProcess(['npm', ...args], { environment: systemEnvironment() });
  }

  test('ends with an error and keeps the log when one of the servers ends by itself', async () => {
    using scratch = aScratch();
    const { assets, pidOf } = installStandIns(scratch.path, await realPrograms());
    const temporary = join(scratch.path, 'tmp');
    mkdirSync(temporary);
    const environment = { KUBEBUILDER_ASSETS: assets, TMPDIR: temporary };
    await using command = run('main.ts', { environment });
    await untilReady(command);
    process.kill(pidOf('etcd'), 'SIGKILL');
    assert.equal((await command.exited).code, 1);
    assert.match(command.stderr, /^etcd ended by SIGKILL\.(.|\n)*^Log: .*\/etcd\.log$/m);
    assert.deepEqual(readdirSync(temporary, { recursive: true }).length, 2);
  });
});

describe('npm run control-plane, where it cannot start,', function () {
  this.timeout(30_000);
  const scratch = useScratch();
  const directory = (): string => join(scratch(), 'dir');

  function dyingPrograms(): Environment {
    const commands = { etcd: 'echo boom; exit 7', 'kube-apiserver': 'exit 7' };
    return { KUBEBUILDER_ASSETS: installStandIns(scratch(), commands).assets };
  }

  const cases: readonly {
    name: string;
    prepare: () => Environment;
    want: RegExp;
  }[] = [
    {
      name: 'refuses a directory that is not empty',
      prepare: () => {
        mkdirSync(directory());
        writeFileSync(join(directory(), 'precious'), '');
        return dyingPrograms();
      },
      want: /^The directory cannot be used: .* it has precious\.\nFix: name an empty or a new/,
    },
    {
      name: 'refuses a file',
      prepare: () => {
        writeFileSync(directory(), '');
        return dyingPrograms();
      },
      want: /^The directory cannot be used: ENOTDIR: .*\/dir'\.\nFix: name an empty or a new/,
    },
    {
      name: 'names the three ways when there are no programs and no Go',
      prepare: () => ({ XDG_CACHE_HOME: scratch() }),
      want: /no Go to build them with\.\nFix: set KUBEBUILDER_ASSETS .* PATH, .* Go 1\.\d+/,
    },
    {
      name: 'says so when the cache cannot be written to',
      prepare: () => {
        const go = writeScript(join(scratch(), 'go'), 'exit 0');
        return { PATH: scratch(), XDG_CACHE_HOME: join(go, 'cache') };
      },
      want: /\netcd cannot be built into .*\/cache\/.*: ENOTDIR.*\nFix: set KUBEBUILDER_ASSETS/,
    },
    {
      name: 'names a program that dies, with its last lines and its log',
      prepare: dyingPrograms,
      want: /^etcd ended with exit code 7.*\n {2}boom\nLog: .*\/etcd\.log\nFix: read the log/,
    },
  ];
  for (const { name, prepare, want } of cases) {
    it(`${name}, without a stack`, async () => {
      const environment = { ...prepare(), TMPDIR: scratch() };
      const command = run('main.ts', { args: [directory()], environment });
      assert.equal((await command.exited).code, 1);
      const [first, ...rest] = command.stderr.split('\n');
      assert.equal(first, 'Starting etcd and kube-apiserver.');
      assert.match(rest.join('\n'), want);
      assert.doesNotMatch(command.stderr, /^ {4}at /m);
    });
  }

  it('names the port that is taken', async () => {
    const server = createServer().listen(0, loopback);
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const args = [directory(), '--secure-port', String(address.port)];
    const command = run('main.ts', { args, environment: dyingPrograms() });
    assert.equal((await command.exited).code, 1);
    server.close();
    assert.match(
      command.stderr,
      new RegExp(`^Port ${address.port} of 127.0.0.1 is taken by another program\\.\nFix: `, 'm'),
    );
  });

  it('refuses an option it does not know with exit code 2 and points to the help', async () => {
    const command = run('main.ts', { args: ['--frobnicate'] });
    assert.equal((await command.exited).code, 2);
    assert.equal(command.stderr, 'error: unknown option --frobnicate: see --help\n');
  });

  it('prints its usage with --help', async () => {
    const command = run('main.ts', { args: ['--help'] });
    assert.equal((await command.exited).code, 0);
    assert.match(command.stdout, /^Usage: npm run control-plane -- \[DIR\]/);
  });
});
