import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededIds, seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime';
import { runProgram } from './program.ts';
import { version } from './version.ts';

describe('the program', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-program-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (...args: string[]) => runUntil(new AbortController().signal, ...args);

  let clock: VirtualClock;
  const runUntil = async (stop: AbortSignal, ...args: string[]) => {
    clock = virtualClock({ startMs: 0 });
    const random = seededRandom('program');
    let output = '';
    let errors = '';
    const exitCode = await runProgram(args, {
      clock,
      random,
      ids: seededIds(random),
      environment: {},
      hostname: 'here',
      pid: 7,
      runtimeVersion: 'v24.0.0',
      processUsage: () => assert.fail('nobody asked for metrics'),
      output: { write: (text: string) => (output += text) },
      errors: { write: (text: string) => (errors += text) },
      stop,
      onLogger: (made) => made.info({}, 'Handed out'),
    });
    return { exitCode, output, errors };
  };

  it('tells its version, which is the one of its package', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(manifest, Object.assign({}, manifest, { version }));
    assert.deepEqual(await run('--version'), {
      exitCode: 0,
      output: `Tandem ${version}\n`,
      errors: '',
    });
  });

  it('helps on standard output', async () => {
    const { exitCode, output, errors } = await run('--help');
    assert.equal(exitCode, 0);
    assert.match(output, /--cloud-provider/);
    assert.equal(errors, '');
  });

  it('says everything that is wrong with flags and files at once, and ends with 2', async () => {
    const config = join(directory, 'config.yaml');
    await writeFile(config, 'apiVersion: tandem.dev/v1alpha1\nkind: ManagerConfiguration\nx: 1\n');
    const { exitCode, output, errors } = await run('--bogus', '--config', config);
    assert.equal(exitCode, 2);
    assert.equal(output, '');
    assert.match(errors, /^error: .*--bogus/m);
    assert.match(errors, /^error: .*--cloud-provider/m);
    assert.match(errors, /^error: .*config\.yaml:3/m);
  });

  it('never takes the kubeconfig of whoever happens to start it', async () => {
    const { exitCode, errors } = await run('--cloud-provider=simulated', '--secure-port=0');
    assert.equal(exitCode, 2);
    assert.match(errors, /^error: There is no kubeconfig: none was named, and this is no pod\./m);
  });

  it('says what is wrong with a provider, and ends with 2', async () => {
    const { exitCode, errors } = await run(
      '--cloud-provider=no-such-package',
      '--secure-port=0',
      '--master=https://127.0.0.1:1',
    );
    assert.equal(exitCode, 2);
    assert.match(errors, /^error: The cloud provider "no-such-package" could not be loaded/m);
  });

  it('says so in a line of JSON where lines are to be JSON', async () => {
    const { exitCode, errors } = await run(
      '--cloud-provider=no-such-package',
      '--secure-port=0',
      '--master=https://127.0.0.1:1',
      '--logging-format=json',
    );
    assert.equal(exitCode, 2);
    const lines = errors.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /"msg":"Handed out"/);
    const { level, msg, err } = lines.map((line) => JSON.parse(line)).at(-1);
    assert.deepEqual([level, msg], ['error', 'Could not start']);
    assert.match(err.message, /^The cloud provider "no-such-package" could not be loaded/);
  });

  it('ends at once when it is told to while it waits for the API server to open its port', async () => {
    const kubeconfig = join(directory, 'kubeconfig');
    await writeFile(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'u', user: { token: 't' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    const stop = new AbortController();
    const running = runUntil(
      stop.signal,
      '--cloud-provider=no-such-package',
      '--secure-port=10258',
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
    );
    // It asks, under a deadline; its clock stands still, so that it tries again for ever.
    while (clock.pending === 0) await readFile(kubeconfig);
    stop.abort(new Error('Got SIGTERM'));
    const { exitCode, errors } = await running;
    assert.equal(exitCode, 0);
    assert.match(errors.trimEnd().split('\n').at(-1) ?? '', /\] "Stopped"$/);
  });

  it('says what it takes and does not need', async () => {
    const { errors } = await run(
      '--cloud-provider=no-such-package',
      '--secure-port=0',
      '--master=https://127.0.0.1:1',
      '--concurrent-service-syncs=5',
    );
    assert.match(errors, /flag="--concurrent-service-syncs"/);
    assert.match(errors, /controller="service-lb-controller"/);
  });
});
