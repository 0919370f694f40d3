import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createMetrics } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { loadCredentials } from './load-credentials.ts';

describe('a kubeconfig', () => {
  let directory: string;
  let kubeconfig: string;
  const lines: Record<string, unknown>[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tandem-kubeconfig-'));
    kubeconfig = join(directory, 'config');
    lines.length = 0;
  });
  afterEach(() => rm(directory, { recursive: true }));

  const load = () => {
    const clock = virtualClock();
    const write = (line: string): void => void lines.push(JSON.parse(line));
    const logger = createLogger({ clock, level: 'info', destination: { write } });
    const telemetry = { logger, metrics: createMetrics() };
    return loadCredentials({ clock, environment: {}, kubeconfig, search: 'pod', telemetry });
  };

  const writeToken = (token: string): Promise<void> =>
    writeFile(
      kubeconfig,
      JSON.stringify({
        kind: 'Config',
        clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
        users: [{ name: 'x', user: { token } }],
        contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
        'current-context': 'x',
      }),
    );

  it('is rejected, with its kind in the message, if it is another kind of file', async () => {
    await writeFile(kubeconfig, 'kind: StaticInventory\ninstances: []\n');
    await assert.rejects(load(), {
      code: 'KubeconfigInvalid',
      message: /config is not a kubeconfig: its kind is "StaticInventory"\./,
    });
  });

  it('is logged once when it has new credentials after a refusal', async () => {
    await writeToken('one');
    const credentials = await load();
    const first = await credentials.identity();
    await writeToken('two');
    const second = await credentials.renew(first);
    assert.equal(second?.headers['authorization'], 'Bearer two');
    assert.deepEqual(
      lines.map(({ msg, credentials: from }) => [msg, from]),
      [['Read new credentials after a refusal', `the kubeconfig ${kubeconfig}`]],
    );
    assert.equal(await credentials.renew(second), undefined);
    assert.equal(lines.length, 1);
  });
});
