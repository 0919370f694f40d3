/**
 * Prometheus' own `promtool`, where there is one: named by `PROMTOOL`, or on the PATH. It is what people
 * run; the rules that are built from its source are held against the same metrics everywhere.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '@tandem/runtime';

const run = promisify(execFile);

/** What to call it by; undefined where there is none. One that is named has to be there. */
export async function findPromtool(environment: Environment): Promise<string | undefined> {
  const named = environment['PROMTOOL'];
  const program = named ?? 'promtool';
  try {
    await run(program, ['--version']);
    return program;
  } catch (err) {
    if (named === undefined && Reflect.get(Object(err), 'code') === 'ENOENT') return undefined;
    throw new Error(`${program} --version failed`, { cause: err });
  }
}

/** What `promtool check metrics` says of a scrape, one finding a line. */
export async function checkMetrics(promtool: string, scrape: string): Promise<string[]> {
  const checking = run(promtool, ['check', 'metrics']);
  checking.child.stdin?.end(scrape);
  const { stderr } = await checking.catch((err: unknown) => {
    // It ends with 3 where it found something, and with another code where it could not look.
    if (Reflect.get(Object(err), 'code') !== 3) throw err;
    return { stderr: String(Reflect.get(Object(err), 'stderr')) };
  });
  return stderr.split('\n').filter((line) => line !== '');
}
