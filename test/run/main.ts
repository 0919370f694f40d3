/**
 * `npm test`: runs the suites with mocha, each in processes of its own, and ends with one line that sums
 * them up. This entry only ties the runner to the real process.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { watchNpm } from '../support/npm.ts';
import { parseCommandLine, usage } from './command-line.ts';
import { runSuites, type RunPorts } from './run-suites.ts';
import { suites } from './suites.ts';

/** A process that has run all of its tests has nothing left to do that takes longer than this. */
const lingerMsMax = 30_000;

function realPorts(root: string): RunPorts {
  return {
    root,
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    startTimer(delayMs, callback) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    nowMs: () => performance.now(),
    onSignal(listener) {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, listener);
      whenNpmEnds(() => listener('SIGTERM'));
    },
    lingerMsMax,
  };
}

/** A signal that ends npm does not reach its script, which would go on for nobody. */
function whenNpmEnds(callback: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const isThere = watchNpm(process.env);
  const poll = setInterval(() => {
    if (isThere()) return;
    clearInterval(poll);
    callback();
  }, npmPollMs);
  poll.unref();
}

const npmPollMs = 500;

function refuse(message: string): number {
  console.error(`${message}\nTry npm test -- --help.`);
  return 2;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function main(args: readonly string[]): Promise<number> {
  const suiteNames = suites.map((suite) => suite.name);
  const request = parseCommandLine(args, suiteNames);
  switch (request.kind) {
    case 'help':
      console.log(usage);
      return 0;
    case 'mistake':
      return refuse(request.message);
    case 'run': {
      const root = resolve(request.root ?? join(import.meta.dirname, '..', '..'));
      if (!isFolder(root)) return refuse(`There is no folder ${root}.`);
      return runSuites(request, realPorts(root));
    }
    default:
      return request satisfies never;
  }
}

process.exitCode = await main(process.argv.slice(2));
