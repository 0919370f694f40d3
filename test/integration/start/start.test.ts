/** `npm start` as people run it: the real program, the real kubectl, real signals and a real terminal. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { eventually, testsAtOnce } from '../../control-plane/index.ts';
import { findOnPath } from '../../support/on-path.ts';
import type { Exit } from '../../support/process/index.ts';
import { readKepRows } from '../../support/vectors.ts';
import { Started } from './started.ts';

interface SeenNode {
  readonly node: string;
  readonly nodeIP: string | null;
  readonly got: readonly { readonly address: string }[];
  readonly stack: string | null;
  readonly state: string;
  readonly code: string | null;
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const tutorial = join(root, 'docs/tutorials/first-look.md');

/** Each is a program of its own that takes its time to converge; more of them would starve each other. */
const atOnce = 5;

describe('npm start -- --once', () => {
  const test = testsAtOnce(atOnce);

  test('exits 0 when it has converged to the rows of the KEP', async () => {
    await using started = await Started.start(['--once', '-o', 'json']);
    assert.deepEqual(await started.exited, { code: 0, signal: null });
    const printed: { nodes: SeenNode[] } = JSON.parse(started.stdout);
    const seen = printed.nodes.slice(0, 24).map(({ nodeIP, got, stack, state }) => ({
      nodeIP,
      addresses: got.map(({ address }) => address),
      stack,
      state,
    }));
    const wanted = readKepRows().map(({ nodeIP, addresses, stack }) => ({
      nodeIP,
      addresses: addresses ?? [],
      stack,
      state: addresses === null ? 'refused' : 'ready',
    }));
    assert.deepEqual(seen, wanted);
    assert.deepEqual(await started.leftovers(), []);
  });

  test('prints a table without colours on a pipe', async () => {
    await using started = await Started.start(['--once']);
    assert.equal((await started.exited).code, 0);
    assert.equal(started.stdout.match(/^(?:dual|ipv4)-\d\d .* (?:ready|refused) /gm)?.length, 24);
    assert.equal(stripVTControlCharacters(started.stdout), started.stdout);
    assert.equal(started.stderr, '');
  });

  test('prints only JSON for the command of the tutorial', async () => {
    const [, command = '', filter = ''] =
      /^(npm .* -o json) \| (jq .*)$/m.exec(readFileSync(tutorial, 'utf8')) ?? [];
    const shell = async (line: string): Promise<string> =>
      (await run('sh', ['-c', line], { cwd: root })).stdout;
    const { nodes }: { nodes: SeenNode[] } = JSON.parse(await shell(command));
    const refused = nodes.filter(({ state }) => state === 'refused');
    assert.equal(refused.length, 12);
    if (findOnPath('jq', systemEnvironment()) === undefined) return;
    const lines = refused.map(({ node, code }) => `${node} ${code}\n`);
    assert.equal(await shell(`${command} | ${filter}`), lines.join(''));
  });

  test('exits 1 and says so when its output cannot be written', async () => {
    await using started = await Started.onFullDisk(['--once']);
    assert.equal((await started.exited).code, 1);
    assert.match(started.stderr, /^error: cannot write the output \(.*ENOSPC/);
  });

  test('reports once that its log cannot be written, and continues', async () => {
    await using started = await Started.start(['--once', '--log', '/dev/full']);
    assert.equal((await started.exited).code, 0);
    assert.match(
      started.stderr,
      /^error: cannot write to the --log file \(.*ENOSPC.*\): logging to it has stopped\n$/,
    );
  });

  test('exits 2 and names everything that is wrong with its options', async () => {
    await using started = await Started.start(['--nodes=many', '--nope']);
    assert.equal((await started.exited).code, 2);
    assert.equal(started.stderr.match(/^error: /gm)?.length, 2);
  });
});

describe('npm start', () => {
  const test = testsAtOnce(atOnce);

  test('lets kubectl list, describe, annotate, create and delete, and shows the effects', async () => {
    await using started = await Started.start([]);
    const [, kubeconfig = ''] = await started.prints(/^export KUBECONFIG=(.+)$/m);
    assert.equal(statSync(kubeconfig).mode & 0o777, 0o600);
    await started.prints(/^Converged in /m);

    const wide = await started.kubectl('get', 'nodes', '-o', 'wide');
    assert.match(wide, /^dual-09 +Ready .* abcd::1234 /m);
    assert.equal(wide.trimEnd().split('\n').length, 31);

    const described = await started.kubectl('describe', 'node', 'ipv4-09');
    assert.match(
      described,
      /Warning +NoAddressOfFamily .* cloud-node-controller +Request "IPv6" needs an IPv6 address/,
    );

    assert.match(
      await started.kubectl('describe', 'node', 'twin-b'),
      /Warning +CIDRNotAvailable .* node-ipam-controller +Pool small \(.*\) has no free \/24/,
    );

    await started.kubectl('annotate', 'node', 'dual-01', 'tandem.dev/node-ip=IPv6,IPv4');
    await started.prints(
      /dual-01: ready, asked IPv6,IPv4 \(operator\), got abcd::1234 1\.2\.3\.4 \(DS IPv6-primary\)/,
    );

    await started.kubectl('delete', 'node', 'twin-a');
    await started.prints(/twin-a: deleted/);
    await started.prints(/twin-b: ready, asked \(none\), got 10\.0\.0\.1 fd00::1/);
    await started.prints(/twin-b: .*podCIDRs 10\.60\.0\.0\/24 fd60::\/64$/m);

    const podCIDRs = '-o=jsonpath={.spec.podCIDR} {.spec.podCIDRs}';
    assert.equal(
      await started.kubectl('get', 'node', 'twin-b', podCIDRs),
      '10.60.0.0/24 ["10.60.0.0/24","fd60::/64"]',
    );

    await started.kubectl('label', 'node', 'dual-02', 'colour=blue');
    assert.match(await started.kubectl('get', 'nodes', '-l', 'colour=blue'), /dual-02/);

    assert.deepEqual(await started.end(), { code: 0, signal: null });
    assert.deepEqual(await started.leftovers(), []);
  });

  const moments: readonly {
    name: string;
    comes: (started: Started) => Promise<unknown>;
    want: Exit;
  }[] = [
    // Before its first line has run, the signal ends it as it ends any program.
    {
      name: 'at once',
      comes: async () => undefined,
      want: { code: null, signal: 'SIGINT' },
    },
    {
      name: 'as soon as it has a file',
      comes: (started) => eventually(async () => (await started.leftovers()).length > 0),
      want: { code: 0, signal: null },
    },
    {
      name: 'as soon as it has a kubeconfig',
      comes: (started) => started.prints(/export KUBECONFIG/),
      want: { code: 0, signal: null },
    },
    {
      name: 'when it has converged',
      comes: (started) => started.prints(/^Converged in /m),
      want: { code: 0, signal: null },
    },
  ];
  for (const { name, comes, want } of moments) {
    test(`leaves no process and no file when it is ended ${name}`, async () => {
      await using started = await Started.start([]);
      await comes(started);
      assert.deepEqual(await started.end(), want, started.stderr);
      assert.throws(() => process.kill(started.pid ?? 0, 0), { code: 'ESRCH' });
      assert.deepEqual(await started.leftovers(), []);
    });
  }

  test('leaves no file when it is ended while nodes come and go', async () => {
    await using started = await Started.start(['--nodes', '100', '--faults', '--churn']);
    await started.prints(/^\+[\d.]+ s {2}.*ready/m);
    assert.deepEqual(await started.end('SIGQUIT'), { code: 0, signal: null });
    assert.deepEqual(await started.leftovers(), []);
  });

  test('leaves no file when a second signal ends it immediately', async () => {
    await using started = await Started.start([]);
    await started.prints(/export KUBECONFIG/);
    // Both signals wait for it when it goes on, so that it cannot end in order between them.
    for (const signal of ['SIGSTOP', 'SIGTERM', 'SIGINT'] as const) started.signal(signal);
    assert.deepEqual(await started.end('SIGCONT'), { code: 1, signal: null });
    assert.deepEqual(await started.leftovers(), []);
  });

  test('ends quietly when the reader of its output goes away', async () => {
    await using started = await Started.start([]);
    await started.prints(/export KUBECONFIG/);
    started.stopReading();
    assert.equal((await started.exited).code, 0);
    assert.equal(started.stderr, '');
    assert.deepEqual(await started.leftovers(), []);
  });

  test('reports that a port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      await using started = await Started.start(['--port', String(port)]);
      assert.equal((await started.exited).code, 2);
      assert.match(
        started.stderr,
        new RegExp(`^error: --port ${port}: Port ${port} .* is already in use`),
      );
      assert.deepEqual(await started.leftovers(), []);
    } finally {
      server.close();
    }
  });

  test('draws a table on a terminal, and restores the terminal on Ctrl-C', async () => {
    await using started = await Started.onTerminal({ columns: 100, lines: 45 });
    await started.prints(/Converged in /);
    assert.ok(started.stdout.includes('\u001b[?1049h\u001b[?25l'));
    started.type('\u0003');
    assert.equal((await started.exited).code, 0);
    const [screen = '', after = '', ...more] = started.stdout.split('\u001b[?25h\u001b[?1049l');
    assert.deepEqual(more, []);
    assert.ok(screen.includes('\u001b[32mready'));
    const table = stripVTControlCharacters(after).replaceAll('\r', '').trimEnd().split('\n');
    assert.equal(table.length, 31);
    for (const line of table) assert.ok(line.length <= 100, line);
    assert.deepEqual(await started.leftovers(), []);
  });
});
