#!/usr/bin/env -S node --max-semi-space-size=2
/**
 * The entry of the cloud-controller-manager: hands the process's arguments, streams and signals to the
 * program. The start line keeps the heap's nursery small: nearly all that is read from the API server
 * is dropped at once, and a larger nursery would only hold on to it for longer.
 */
import { hostname } from 'node:os';
import { systemClock, systemEnvironment, systemIds, systemRandom } from '@tandem/runtime';
import { runProgram } from './program.ts';

const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    // Whoever says it twice does not want to wait for the Lease to be given back.
    if (stop.signal.aborted) process.exit(1);
    stop.abort(new Error(`Got ${signal}`));
  });
}
// A reader of the log that went away is no reason to stop working.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const exitCode = await runProgram(process.argv.slice(2), {
  clock: systemClock,
  random: systemRandom,
  ids: systemIds,
  environment: systemEnvironment(),
  hostname: hostname(),
  runtimeVersion: process.version,
  output: process.stdout,
  errors: process.stderr,
  stop: stop.signal,
});
// Nothing is to be waited for any more, whatever a provider of somebody's may have left open.
process.exit(exitCode);
