#!/usr/bin/env node
/** The entry point of the kubectl plugin. It passes the process's streams and arguments to the program. */
import { runProgram } from './program.ts';
import { standardInput } from './standard-input.ts';

const [major = ''] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(
    `error: kubectl nodeip requires Node.js 24 or newer, but this is ${process.version}: put a newer Node.js first on the PATH, or link packages/kubectl-nodeip/bin/kubectl-nodeip of a checkout, which has its own\n`,
  );
  process.exit(2);
}

process.stdout.on('error', (err: NodeJS.ErrnoException) => {
  // The reader closed the pipe, as `head` does.
  if (err.code === 'EPIPE') process.exit(0);
  process.stderr.write(`error: cannot write the output: ${err.message}\n`);
  process.exit(1);
});
// The program continues if the reader of its errors has closed the pipe.
process.stderr.on('error', () => {});

const { NO_COLOR = '', TERM } = process.env;

process.exitCode = await runProgram(
  process.argv.slice(2),
  {
    input: standardInput(),
    output: process.stdout,
    errors: process.stderr,
    hasColour: process.stdout.isTTY && NO_COLOR === '' && TERM !== 'dumb',
  },
  async () => {
    const { systemClock, systemEnvironment, systemRandom } = await import('@tandem/runtime');
    return { clock: systemClock, random: systemRandom, environment: systemEnvironment() };
  },
);
