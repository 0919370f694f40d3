/**
 * Control planes for mocha suites: one that all files of a run share, because a start takes seconds, or
 * one of a suite's own, for tests that disturb it. Where there are no programs to run, the suite is
 * skipped and one line says why; with `REQUIRE_CONTROL_PLANE=1`, as in CI, that is a failure.
 */
import { type Environment, systemEnvironment } from '@tandem/runtime';
import type { Sink } from './binaries/progress.ts';
import type { ControlPlane } from './control-plane.ts';
import { ControlPlaneError } from './errors.ts';
import { startControlPlane, type StartOptions } from './start.ts';

let shared: Promise<ControlPlane> | undefined;

/**
 * The control plane that the files of this mocha run share; call it in a `before` hook. Tests use names
 * of their own in it, and neither restart nor pause it.
 */
export async function sharedControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  if (shared === undefined) {
    const starting = startControlPlane();
    shared = starting;
    rootOf(suiteOf(context)).afterAll('stops the shared control plane', () =>
      starting.then(
        (controlPlane) => controlPlane.stop(),
        // Whoever asked for it has told why it could not be started.
        () => undefined,
      ),
    );
  }
  return startedOrSkipped(context, shared);
}

/** A control plane of the calling suite's own, stopped when the suite has ended. */
export async function privateControlPlane(
  context: Mocha.Context,
  options: StartOptions = {},
): Promise<ControlPlane> {
  const controlPlane = await startedOrSkipped(context, startControlPlane(options));
  suiteOf(context).afterAll('stops its control plane', () => controlPlane.stop());
  return controlPlane;
}

async function startedOrSkipped(
  context: Mocha.Context,
  starting: Promise<ControlPlane>,
): Promise<ControlPlane> {
  context.timeout(startMsMax);
  try {
    return await starting;
  } catch (err) {
    const reason = reasonToSkip(err, systemEnvironment());
    if (reason === undefined) throw err;
    sayOnce(reason, process.stderr);
    // The test runner shows this with every file that was skipped.
    context['skipReason'] = 'no control plane';
    return context.skip();
  }
}

/** The one line to say when tests are skipped, or `undefined` when they must fail instead. */
export function reasonToSkip(err: unknown, environment: Environment): string | undefined {
  const isUnavailable = err instanceof ControlPlaneError && err.code === 'ProgramsUnavailable';
  if (!isUnavailable || environment['REQUIRE_CONTROL_PLANE'] === '1') return undefined;
  const cause = err.message.replaceAll(/\s*\n\s*/g, ' ');
  return `Skipping tests that need a real control plane. ${cause}`;
}

const said = new Set<string>();

function sayOnce(line: string, sink: Sink): void {
  if (!said.has(line)) sink.write(`${line}\n`);
  said.add(line);
}

function suiteOf(context: Mocha.Context): Mocha.Suite {
  const suite = context.runnable().parent;
  if (suite === undefined) throw new Error('A control plane is asked for in a hook or a test');
  return suite;
}

function rootOf(suite: Mocha.Suite): Mocha.Suite {
  return suite.parent === undefined ? suite : rootOf(suite.parent);
}

/** Room for a build: several times what it takes on two cores with a slow network. */
const startMsMax = 60 * 60_000;
