/**
 * The Go command: found on the PATH that the caller gives, checked to be new enough for the recipe, and
 * run with its whole output kept for the case that it fails.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Environment, systemClock } from '@tandem/runtime';
import { GuardedProcess } from '../../support/process/index.ts';
import { findOnPath } from './on-path.ts';
import type { Recipe } from './recipe.ts';
import { unavailable } from './unavailable.ts';

export interface GoRun {
  readonly file: string;
  readonly recipe: Recipe;
  readonly environment: Environment;
  readonly args: readonly string[];
}

interface GoResult {
  readonly succeeded: boolean;
  readonly stdout: string;
  /** Both streams, as a person would have seen them. */
  readonly transcript: string;
}

/** The Go on the PATH and what it calls itself, `go1.26.8`. */
export async function findGo(
  recipe: Recipe,
  environment: Environment,
): Promise<{ file: string; version: string }> {
  const file = findOnPath('go', environment);
  if (file === undefined) {
    const what = recipe.minor === undefined ? '' : ` of ${recipe.minor}`;
    const problem = `There is no kube-apiserver or etcd${what} to run, and no Go to build them with.`;
    throw unavailable(problem, { recipe });
  }
  // Inside the module a Go that may not fetch a newer one of itself already refuses here.
  const asked = await runGo({ file, recipe, environment, args: ['env', 'GOVERSION'] });
  if (!asked.succeeded || !isNewEnough(asked.stdout, recipe.goVersion)) {
    const words = asked.transcript.trim() || 'it says nothing';
    throw unavailable(`${file} cannot build kube-apiserver: ${words}.`, { recipe });
  }
  return { file, version: asked.stdout };
}

/**
 * Runs Go, which dies with this process, and with it the compilers that it has started: a build that
 * went on without anybody to hold the lock for it would write beside the next one.
 */
export async function runGo(run: GoRun): Promise<GoResult> {
  const running = new GuardedProcess([run.file, ...run.args], {
    cwd: run.recipe.directory,
    // Without C the programs need no compiler for it, and run wherever the kernel does.
    env: { ...run.environment, CGO_ENABLED: '0', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  const transcript: string[] = [];
  running.child.once('error', (err) => transcript.push(err.message));
  eachLine(running.child.stdout, (line) => {
    stdout.push(line);
    transcript.push(line);
  });
  eachLine(running.child.stderr, (line) => transcript.push(line));
  // Node's own timeout would stay when the file cannot be run, and reach Go alone, not its compilers.
  const timer = systemClock.after(runMsMax, () => running.signal('SIGKILL'));
  const exit = await running.exited.finally(() => timer.cancel());
  return {
    succeeded: exit.code === 0,
    stdout: stdout.join('\n'),
    transcript: transcript.join('\n'),
  };
}

function eachLine(input: Readable | null, onLine: (line: string) => void): void {
  if (input !== null) createInterface({ input }).on('line', onLine);
}

/** Whether a Go that calls itself `go1.26.8` is at least `1.26.0`. */
export function isNewEnough(version: string, lowest: string): boolean {
  const has = numbers(version);
  const wants = numbers(lowest);
  const differing = wants.findIndex((want, index) => (has[index] ?? 0) !== want);
  return differing === -1 || (has[differing] ?? 0) > (wants[differing] ?? 0);
}

function numbers(version: string): number[] {
  return [...version.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

/** Several times a cold build on two cores, the download of the modules included. */
const runMsMax = 60 * 60_000;
