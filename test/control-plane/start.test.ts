/**
 * Starts that cannot succeed: each ends in one error that names the cause and the log, and leaves
 * nothing running. And starts that can, with programs that are not what they seem.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ControlPlaneError } from './errors.ts';
import { eventually } from './eventually.ts';
import {
  installStandIns,
  realPrograms,
  type StandIns,
  wrappedPrograms,
} from './fixtures/programs.ts';
import { useScratch } from '../support/scratch.ts';
import { isRunning } from '../support/process-state.ts';
import { discardLog } from './log.ts';
import { requirePrograms } from './mocha.ts';
import { isFree, loopback } from './ports.ts';
import { startControlPlane, type StartOptions } from './start.ts';

describe('a control plane that cannot start', function () {
  this.timeout(60_000);
  const scratch = useScratch();

  before(async function () {
    await requirePrograms(this);
  });

  /** The error and the log of a start that fails. */
  async function failure(
    { assets }: StandIns,
    options: StartOptions = {},
  ): Promise<{ err: ControlPlaneError; log: string }> {
    const directory = join(scratch(), 'dir');
    const environment = { KUBEBUILDER_ASSETS: assets };
    const err = await startControlPlane({ directory, environment, ...options }).catch(
      (reason: unknown) => reason,
    );
    assert.ok(err instanceof ControlPlaneError);
    assert.equal(existsSync(directory), false);
    const log = err.logFile === undefined ? '' : readFileSync(err.logFile, 'utf8');
    await discardLog(err.logFile);
    return { err, log };
  }

  it('because etcd dies says how it ended and keeps its log', async () => {
    const standIns = installStandIns(scratch(), {
      etcd: 'echo no such flag >&2; exit 3',
      'kube-apiserver': 'exit 0',
    });
    const { err, log } = await failure(standIns);
    assert.equal(err.code, 'ProgramEnded');
    assert.match(err.message, /^etcd ended with exit code 3\. Its last words:\n {2}no such flag\n/);
    assert.equal(log, 'no such flag\n');
  });

  it('because kube-apiserver dies stops the etcd that had started', async () => {
    const { etcd } = await realPrograms();
    const standIns = installStandIns(scratch(), {
      etcd,
      'kube-apiserver': 'echo boom; kill -TERM $$',
    });
    const { err, log } = await failure(standIns);
    assert.match(err.message, /^kube-apiserver ended by SIGTERM\./);
    assert.equal(log, 'boom\n');
    assert.equal(isRunning(standIns.pidOf('etcd')), false);
  });

  it('because etcd hangs says after what time it gave up, and ends it', async () => {
    const standIns = installStandIns(scratch(), {
      etcd: 'exec sleep 600',
      'kube-apiserver': 'exit 0',
    });
    const { err } = await failure(standIns, { readyMsMax: 500 });
    assert.equal(err.code, 'ProgramNotReady');
    assert.match(err.message, /^etcd was not ready within 0\.5 s\./);
    assert.equal(isRunning(standIns.pidOf('etcd')), false);
  });

  it('because another program took a port in between starts again on other ports', async () => {
    const [port, taken] = [join(scratch(), 'port'), join(scratch(), 'taken')];
    const real = await realPrograms();
    const { assets } = installStandIns(scratch(), {
      ...real,
      etcd: [
        'for arg; do case $arg in --listen-client-urls=*)',
        `  echo "\${arg##*:}" > ${port}.new; mv ${port}.new ${port} ;; esac; done`,
        `while [ ! -e ${taken} ]; do sleep 0.02; done`,
        real.etcd,
      ].join('\n'),
    });
    const starting = startControlPlane({ environment: { KUBEBUILDER_ASSETS: assets } });
    const lost = await eventually(() => Number(readFileSync(port, 'utf8')));
    const thief = createServer().listen(lost, loopback);
    await once(thief, 'listening');
    writeFileSync(taken, '');
    const controlPlane = await starting;
    thief.close();
    await controlPlane.stop();
    assert.notEqual(Number(readFileSync(port, 'utf8')), lost);
  });
});

describe('a control plane whose servers are called by wrapper scripts', function () {
  this.timeout(60_000);
  const scratch = useScratch();

  before(async function () {
    await requirePrograms(this);
  });

  it('restarts them on the same ports, and leaves none of them when it is stopped', async () => {
    const { assets } = installStandIns(scratch(), await wrappedPrograms());
    const environment = { KUBEBUILDER_ASSETS: assets };
    const controlPlane = await startControlPlane({ environment });
    await controlPlane.etcd.restart();
    await controlPlane.apiServer.restart();
    const servers = [controlPlane.admin.server, controlPlane.etcdCredentials.server];
    const ports = servers.map((server) => Number(new URL(server).port));
    assert.deepEqual(await Promise.all(ports.map(isFree)), [false, false]);
    await controlPlane.stop();
    assert.deepEqual(await Promise.all(ports.map(isFree)), [true, true]);
  });
});
