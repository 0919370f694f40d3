#!/usr/bin/env -S node --max-semi-space-size=8
/**
 * The entry of the kubectl plugin: hands the process's streams and arguments to the program. The
 * start line bounds the heap's nursery, which would otherwise grow with the length of a batch.
 */
import { runProgram } from './program.ts';

process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  // The reader went away, as `head` does: there is nobody left to tell.
  process.exit(err.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await runProgram(process.argv.slice(2), {
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  hasColour: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
});
