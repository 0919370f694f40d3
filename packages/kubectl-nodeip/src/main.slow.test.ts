import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const main = join(import.meta.dirname, 'main.ts');

async function run(
  args: string[],
  input: string,
): Promise<{ exitCode: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [main, ...args], { stdio: 'pipe' });
  const exit = new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? -1)));
  child.stdin.end(input);
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exit, output, errors };
}

describe('the program kubectl-nodeip', () => {
  it('reads its arguments and standard input, and exits with the code of its answer', async () => {
    const line =
      '{"name":"a","cloud":[{"type":"InternalIP","address":"10.0.0.1"}],"annotation":"IPv4"}\n';
    const [batch, refused, bad] = await Promise.all([
      run(['explain', '--batch'], line.repeat(3)),
      run(['explain', '--request', 'IPv6', '--cloud-address', 'InternalIP=10.0.0.1'], ''),
      run(['explain', '--batch'], 'nonsense\n'),
    ]);
    assert.deepEqual([batch.exitCode, batch.output.split('\n').length, batch.errors], [0, 4, '']);
    assert.deepEqual([refused.exitCode, refused.errors], [3, '']);
    assert.ok(!refused.output.includes('\u001b'), 'colour on a pipe');
    assert.deepEqual([bad.exitCode, bad.output], [2, '']);
  });

  it('names the server and the kubeconfig when the server cannot be reached', async function () {
    this.timeout(20_000);
    const folder = await mkdtemp(join(tmpdir(), 'kubectl-nodeip-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const lines = [
      'current-context: a',
      // No test listens on this port below 1024.
      'clusters: [{ name: a, cluster: { server: "https://127.0.0.1:9" } }]',
      'contexts: [{ name: a, context: { cluster: a, user: a } }]',
      'users: [{ name: a, user: {} }]',
    ];
    await writeFile(kubeconfig, lines.join('\n'));
    const { exitCode, output, errors } = await run(['status', '--kubeconfig', kubeconfig], '');
    await rm(folder, { recursive: true });
    assert.deepEqual([exitCode, output], [4, '']);
    assert.match(errors, /^error: Cannot connect to https:\/\/127\.0\.0\.1:9 \(ECONNREFUSED\)\./);
    assert.ok(errors.includes(kubeconfig));
  });

  it('refuses the answers of a server that is no API server', async function () {
    this.timeout(20_000);
    const server = createServer(({ url }, response) => {
      const isNode = url?.startsWith('/api/v1/nodes/') === true;
      if (isNode) response.end('hello');
      else response.setHeader('content-type', 'application/json').end('{"hello":1}');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const folder = await mkdtemp(join(tmpdir(), 'kubectl-nodeip-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const lines = [
      'current-context: a',
      `clusters: [{ name: a, cluster: { server: "http://127.0.0.1:${port}" } }]`,
      'contexts: [{ name: a, context: { cluster: a, user: a } }]',
      'users: [{ name: a, user: {} }]',
    ];
    await writeFile(kubeconfig, lines.join('\n'));
    const commands = [['audit', '--no-manager'], ['audit'], ['explain', 'node-0']];
    const ended = await Promise.all(
      commands.map((args) => run([...args, '--kubeconfig', kubeconfig], '')),
    );
    await rm(folder, { recursive: true });
    server.close();
    for (const { exitCode, output, errors } of ended) {
      assert.deepEqual([exitCode, output], [4, ''], errors);
      assert.match(errors, /^error: \S+ does not answer as an API server does: [^\n]+\n$/m);
    }
  });

  it('refuses a directory as standard input', async () => {
    await using folder = await open(import.meta.dirname);
    const child = spawn(process.execPath, [main, 'explain', '--batch'], {
      stdio: [folder.fd, 'pipe', 'pipe'],
    });
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const [output, errors] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
    assert.deepEqual([await exit, output], [2, '']);
    assert.match(errors, /^error: standard input is a directory: expected a file or a pipe/);
  });

  it('exits with 0 and without errors when the reader of its output closes the pipe', async () => {
    const child = spawn(process.execPath, [main, 'explain', '--batch'], { stdio: 'pipe' });
    const exit = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const errors = text(child.stderr);
    child.stdin.on('error', () => {});
    child.stdout.destroy();
    child.stdin.end('{"cloud":[],"annotation":null}\n'.repeat(20_000));
    assert.equal(await exit, 0);
    assert.equal(await errors, '');
  });
});
