/** Debian's promtool. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianProgramOrSkip } from '../support/debian-program.ts';

/** Its path; call it in a `before` hook. */
export function requirePromtool(context: Mocha.Context): Promise<string> {
  return debianProgramOrSkip(context, { program: 'promtool', package: 'prometheus' });
}

/** The findings of `promtool check metrics` for a scrape. */
export async function checkMetrics(promtool: string, scrape: string): Promise<string[]> {
  const checking = promisify(execFile)(promtool, ['check', 'metrics']);
  checking.child.stdin?.end(scrape);
  const { stderr } = await checking.catch((err: unknown) => {
    // It exits 3 if it found something, and with another code if it failed.
    if (Reflect.get(Object(err), 'code') !== 3) throw err;
    return { stderr: String(Reflect.get(Object(err), 'stderr')) };
  });
  return stderr.split('\n').filter((line) => line !== '');
}
