/**
 * Debian's promtool for mocha suites. Where it cannot be had, the suite is skipped and one line says why; with
 * `REQUIRE_PROMTOOL=1`, as in CI, that is a failure.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemEnvironment } from '@tandem/runtime';
import { findDebianProgram } from '../support/debian-program.ts';

/** Its path; call it in a `before` hook. */
export async function requirePromtool(context: Mocha.Context): Promise<string> {
  context.timeout(installMsMax);
  const environment = systemEnvironment();
  const wanted = { program: 'promtool', package: 'prometheus' };
  const found = await findDebianProgram(wanted, environment, process.stderr);
  if (found.kind === 'found') return found.path;
  if (environment['REQUIRE_PROMTOOL'] === '1') throw new Error(found.reason);
  process.stderr.write(`Skipping tests that need promtool. ${found.reason}\n`);
  context['skipReason'] = 'no promtool';
  return context.skip();
}

const installMsMax = 10 * 60_000;

/** What `promtool check metrics` says of a scrape, one finding a line. */
export async function checkMetrics(promtool: string, scrape: string): Promise<string[]> {
  const checking = promisify(execFile)(promtool, ['check', 'metrics']);
  checking.child.stdin?.end(scrape);
  const { stderr } = await checking.catch((err: unknown) => {
    // It ends with 3 where it found something, and with another code where it could not look.
    if (Reflect.get(Object(err), 'code') !== 3) throw err;
    return { stderr: String(Reflect.get(Object(err), 'stderr')) };
  });
  return stderr.split('\n').filter((line) => line !== '');
}
