/**
 * `npm run control-plane -- DIR`: a control plane for a person, from its start to Ctrl-C. Results go to standard
 * output, progress to standard error. Until the control plane is ready, a signal ends this process, and the guard
 * cleans up after it.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { sleep, systemClock, systemEnvironment } from '@tandem/runtime';
import { parseCommandLine, usage } from './command-line.ts';
import type { ControlPlane } from './control-plane.ts';
import { ControlPlaneError } from './errors.ts';
import { watchNpm } from '../support/npm.ts';
import { startControlPlane, type StartOptions } from './start.ts';

const npmPollMs = 250;
/** Without npm, the parent may be a shell that ends and lets its child continue. */
const isUnderNpm = systemEnvironment()['npm_lifecycle_event'] !== undefined;
const isNpmThere = watchNpm(systemEnvironment());

const command = parseCommandLine(process.argv.slice(2));
switch (command.kind) {
  case 'help':
    process.stdout.write(usage);
    break;
  case 'refused':
    for (const problem of command.problems) process.stderr.write(`error: ${problem}\n`);
    process.exitCode = 2;
    break;
  case 'start':
    await run(command.options).catch(fail);
    break;
}

async function run(options: StartOptions): Promise<void> {
  const startedAt = systemClock.monotonic();
  process.stderr.write('Starting etcd and kube-apiserver.\n');
  const controlPlane = await startControlPlane(options);
  const seconds = ((systemClock.monotonic() - startedAt) / 1000).toFixed(1);
  const waiting = new AbortController();
  const ended = Promise.race([
    signalled(),
    controlPlane.failure(),
    ...(isUnderNpm ? [orphaned(waiting.signal)] : []),
  ]);
  process.stdout.write(introduction(controlPlane, seconds));

  const reason = await ended;
  waiting.abort();
  process.stderr.write('\nStopping etcd and kube-apiserver.\n');
  await controlPlane.stop();
  if (reason instanceof ControlPlaneError) throw reason;
  process.stderr.write('Stopped; nothing is left running.\n');
}

async function signalled(): Promise<unknown> {
  return Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
}

/** Resolves when npm has gone. */
async function orphaned(signal: AbortSignal): Promise<void> {
  while (isNpmThere()) await sleep(systemClock, npmPollMs, signal);
}

function introduction(controlPlane: ControlPlane, seconds: string): string {
  const { directory, kubeconfig, admin, auditLog } = controlPlane;
  return [
    `Ready after ${seconds} s at ${admin.server}`,
    `  kubeconfig  ${kubeconfig}`,
    `  logs        ${join(directory, 'logs')}`,
    ...(auditLog === undefined ? [] : [`  audit log   ${auditLog.logFile}`]),
    '',
    `export KUBECONFIG=${quoted(kubeconfig)}`,
    '',
    'Press Ctrl-C to stop it and to remove its files.',
    '',
  ].join('\n');
}

/** The text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function fail(err: unknown): void {
  if (!(err instanceof ControlPlaneError)) throw err;
  process.stderr.write(`${err.message}\n`);
  process.exitCode = 1;
}
