import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMetrics, seededIds } from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { runProgram } from './program.ts';
import { version } from './version.ts';

/** The flags of a provider without its file. */
const unfit = ['--cloud-provider=static', '--secure-port=0', '--master=https://127.0.0.1:1'];

describe('the program', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-program-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const run = (...args: string[]) => runUntil(new AbortController().signal, ...args);

  let clock: VirtualClock;
  let errorsSoFar = '';
  const runUntil = async (stop: AbortSignal, ...args: string[]) => {
    clock = virtualClock({ startMs: 0 });
    const random = seededRandom('program');
    let output = '';
    errorsSoFar = '';
    const exitCode = await runProgram(args, {
      clock,
      random,
      ids: seededIds(random),
      environment: {},
      hostname: 'here',
      pid: 7,
      runtimeVersion: 'v24.0.0',
      createMetrics,
      output: { write: (text: string) => (output += text) },
      errors: { write: (text: string) => (errorsSoFar += text) },
      stop,
      onLogger: (made) => made.info({}, 'Handed out'),
    });
    return { exitCode, output, errors: errorsSoFar };
  };

  it('prints its version, which is that of its package', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../package.json', import.meta.url), 'utf8'),
    );
    assert.deepEqual(manifest, Object.assign({}, manifest, { version }));
    assert.deepEqual(await run('--version'), {
      exitCode: 0,
      output: `Tandem ${version}\n`,
      errors: '',
    });
    const raw = await run('--version=raw');
    assert.deepEqual([raw.exitCode, raw.errors], [0, '']);
    assert.deepEqual(JSON.parse(raw.output), {
      binaryVersion: version,
      emulationVersion: '1.36',
      runtimeVersion: 'v24.0.0',
    });
  });

  it('prints help on standard output', async () => {
    const { exitCode, output, errors } = await run('--help');
    assert.equal(exitCode, 0);
    assert.match(output, /--cloud-provider/);
    assert.equal(errors, '');
  });

  it('reports all problems of flags and files at once, and exits with 2', async () => {
    const config = join(directory, 'config.yaml');
    await writeFile(config, 'apiVersion: tandem.dev/v1alpha1\nkind: ManagerConfiguration\nx: 1\n');
    const { exitCode, output, errors } = await run('--bogus', '--config', config);
    assert.equal(exitCode, 2);
    assert.equal(output, '');
    assert.match(errors, /^error: .*--bogus/m);
    assert.match(errors, /^error: .*--cloud-provider/m);
    assert.match(errors, /^error: .*config\.yaml:3/m);
  });

  it('never uses the default kubeconfig of the user who starts it', async () => {
    const { exitCode, errors } = await run('--cloud-provider=simulated', '--secure-port=0');
    assert.equal(exitCode, 2);
    assert.match(
      errors,
      /^error: No kubeconfig found: --kubeconfig is not set, and this program does not run in a pod\./m,
    );
  });

  it('reports an unknown provider beside the other problems, and exits with 2', async () => {
    for (const provider of ['gce', '@acme/none', './nowhere.js', directory]) {
      const { exitCode, errors } = await run(`--cloud-provider=${provider}`, '--bogus');
      assert.equal(exitCode, 2);
      assert.match(errors, /^error: .*--bogus/m);
      assert.match(errors, /^error: --cloud-provider .* (?:is not available|is not a file)/m);
      assert.doesNotMatch(errors, /Cannot find|Started/);
    }
  });

  it('reports why a provider cannot start, and exits with 2', async () => {
    const { exitCode, errors } = await run(...unfit);
    assert.equal(exitCode, 2);
    assert.match(errors, /^error: .*--cloud-config/m);
  });

  it('reports it as JSON with --logging-format=json', async () => {
    const { exitCode, errors } = await run(...unfit, '--logging-format=json');
    assert.equal(exitCode, 2);
    const lines = errors.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /"msg":"Handed out"/);
    const { level, msg, err } = lines.map((line) => JSON.parse(line)).at(-1);
    assert.deepEqual([level, msg], ['error', 'Could not start']);
    assert.match(err.message, /--cloud-config/);
  });

  const unreachable = async () => {
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
    return kubeconfig;
  };

  it('logs the kubeconfig and advice, but no stack, when the API server cannot be reached', async () => {
    const kubeconfig = await unreachable();
    const stop = new AbortController();
    const running = runUntil(
      stop.signal,
      '--cloud-provider=simulated',
      '--secure-port=0',
      `--kubeconfig=${kubeconfig}`,
      '--logging-format=json',
    );
    while (!errorsSoFar.includes('ECONNREFUSED')) await readFile(kubeconfig);
    stop.abort(new Error('Received SIGTERM'));
    await clock.advance(10_000);
    const { errors } = await running;
    assert.match(
      errors,
      /Cannot connect to https:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. Check that the API server is running, and check its address in the kubeconfig [^"]*\/kubeconfig\./,
    );
    assert.doesNotMatch(errors, /"stack"/);
  });

  it('stops at once while it waits for the API server to open the secure port', async () => {
    const kubeconfig = await unreachable();
    const stop = new AbortController();
    const running = runUntil(
      stop.signal,
      '--cloud-provider=static',
      '--secure-port=10258',
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
    );
    // The program calls the API server with a deadline. The clock stands still, so it would retry forever.
    while (clock.pending === 0) await readFile(kubeconfig);
    stop.abort(new Error('Received SIGTERM'));
    const { exitCode, errors } = await running;
    assert.equal(exitCode, 0);
    assert.match(
      errors,
      /"Stopping: finishing writes, and releasing the Lease if it is held" reason="Received SIGTERM"/,
    );
    assert.match(errors.trimEnd().split('\n').at(-1) ?? '', /\] "Stopped"$/);
  });

  it('logs the flags and controllers that have no effect', async () => {
    const { errors } = await run(...unfit, '--concurrent-service-syncs=5');
    assert.match(errors, /flag="--concurrent-service-syncs"/);
    assert.match(errors, /controller="service-lb-controller"/);
  });
});
