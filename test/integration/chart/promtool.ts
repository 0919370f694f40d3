/**
 * Debian's promtool for mocha suites. Where it cannot be had, the suite is skipped and one line says why; with
 * `REQUIRE_PROMTOOL=1`, as in CI, that is a failure.
 */
import { systemEnvironment } from '@tandem/runtime';
import { findDebianProgram } from '../../support/debian-program.ts';

/** Its path; call it in a `before` hook. */
export async function requirePromtool(context: Mocha.Context): Promise<string> {
  context.timeout(installMsMax);
  const environment = systemEnvironment();
  const wanted = { program: 'promtool', package: 'prometheus' };
  const found = await findDebianProgram(wanted, environment, process.stderr);
  if (found.kind === 'found') return found.path;
  if (environment['REQUIRE_PROMTOOL'] === '1') throw new Error(found.reason);
  process.stderr.write(`Skipping tests of the alerts. ${found.reason}\n`);
  context['skipReason'] = 'no promtool';
  return context.skip();
}

const installMsMax = 10 * 60_000;
