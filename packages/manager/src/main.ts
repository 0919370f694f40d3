#!/usr/bin/env node
/**
 * The entry point of the cloud-controller-manager. It passes the process's arguments, streams and signals to the
 * program.
 */
import { hostname } from 'node:os';
import type { Logger } from '@tandem/runtime';

const [major = ''] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(`error: Node.js 24 or newer is required, this is ${process.version}\n`);
  process.exit(2);
}

/** How long the program waits for its last log lines, well within the grace period of a pod. */
const lastLinesMsMax = 5_000;

const stop = new AbortController();
let logger: Logger | undefined;
let hasEnded = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // Only the last lines of the log are missing.
    if (hasEnded) process.exit();
    // After a second signal, the manager does not wait until the Lease is released.
    if (stop.signal.aborted) {
      logger?.warn(
        { signal },
        'Received a second signal: exiting at once, the Lease expires by itself',
      );
      process.exit(1);
    }
    stop.abort(new Error(`Received ${signal}`));
  });
}
// After an error that no code catches, perhaps of a provider, the manager stops but releases the Lease.
const endBy = (err: unknown): void => {
  process.exitCode = 1;
  const text = err instanceof Error ? (err.stack ?? err.message) : String(err);
  if (logger === undefined) process.stderr.write(`error: uncaught error: ${text}\n`);
  else logger.error({ err, stack: text }, 'Stopping after an uncaught error');
  stop.abort(err);
};
process.on('uncaughtException', endBy);
process.on('unhandledRejection', endBy);
// The manager continues if the reader of its log has gone.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

// Loaded only after the listeners: the first process of a container ignores a signal without a listener.
const [runtime, { runProgram }] = await Promise.all([
  import('@tandem/runtime'),
  import('./program.ts'),
]);
const { createMetrics, sleep, systemClock, systemEnvironment, systemIds, systemRandom } = runtime;

const exitCode = await runProgram(process.argv.slice(2), {
  clock: systemClock,
  random: systemRandom,
  ids: systemIds,
  environment: systemEnvironment(),
  hostname: hostname(),
  pid: process.pid,
  runtimeVersion: process.version,
  createMetrics: () => createMetrics({ ofProcess: true }),
  output: process.stdout,
  errors: process.stderr,
  stop: stop.signal,
  onLogger: (made) => (logger = made),
});
process.exitCode ??= exitCode;
hasEnded = true;
// A pipe holds 64 KB, so the rest of the log would be lost when the process exits. A reader that hangs must not delay it.
const written = [process.stdout, process.stderr].map(
  (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
);
await Promise.race([Promise.all(written), sleep(systemClock, lastLinesMsMax)]);
// Ends at once: a provider may have left sockets or timers open.
process.exit();
