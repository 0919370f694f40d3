/**
 * Control planes for mocha suites: those that the files of a run share, because a start takes seconds,
 * and those of a suite's own, for tests that want one like no other. Where there are no programs to
 * run, the suite is skipped and one line says why; with `REQUIRE_CONTROL_PLANE=1`, as in CI, that is a
 * failure.
 */
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { backgroundEnded } from './background.ts';
import { findPrograms } from './binaries/find.ts';
import { minors, readMinorRecipe } from './binaries/recipe.ts';
import type { ControlPlane } from './control-plane.ts';
import { ControlPlaneError } from './errors.ts';
import { startControlPlane, type StartOptions } from './start.ts';

/**
 * The control plane that the files of this mocha run share; call it in a `before` hook. Tests use names
 * of their own in it, and neither restart nor pause it.
 */
export function sharedControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  return startedOnce(context, 'undisturbed');
}

/**
 * One that files share which kill, pause, restart or wipe it, one after the other. Whoever did leaves it
 * running, and relies on nothing that another file has left in it.
 */
export function disturbedControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  return startedOnce(context, 'disturbed');
}

/** One that files share which want an API server that has soon forgotten: no watch cache, brief events. */
export function forgetfulControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  return startedOnce(context, 'forgetful');
}

const kinds = {
  undisturbed: { audit: 'on' },
  disturbed: {},
  forgetful: { watchCache: 'off', eventTtl: '2s', audit: 'on' },
} as const satisfies Record<string, StartOptions>;

const shared = new Map<keyof typeof kinds, Promise<ControlPlane>>();

function startedOnce(context: Mocha.Context, kind: keyof typeof kinds): Promise<ControlPlane> {
  const started = shared.get(kind);
  if (started !== undefined) return startedOrSkipped(context, started);
  const starting = startControlPlane(kinds[kind]);
  shared.set(kind, starting);
  rootOf(context).afterAll(`stops the ${kind} control plane`, async function () {
    await backgroundEnded(this);
    // Where it did not start, the suite that asked for it has reported why.
    const controlPlane = await starting.catch(() => undefined);
    await controlPlane?.stop();
  });
  return startedOrSkipped(context, starting);
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

/** For suites that have control planes started by processes of their own: only skips, or builds. */
export async function requirePrograms(context: Mocha.Context): Promise<void> {
  await startedOrSkipped(context, findPrograms(['etcd', 'kube-apiserver']));
}

/** For suites that have control planes of each minor: only skips, or builds. */
export async function requireMinors(context: Mocha.Context): Promise<void> {
  for (const minor of minors) {
    const recipe = readMinorRecipe(minor);
    const finding = findPrograms(['etcd', 'kube-apiserver'], { recipe });
    await startedOrSkipped(context, finding);
  }
}

/** What was started; skips the suite where there are no programs to run, and says why once. */
export async function startedOrSkipped<Started>(
  context: Mocha.Context,
  starting: Promise<Started>,
): Promise<Started> {
  context.timeout(startMsMax);
  try {
    return await starting;
  } catch (err) {
    const reason = reasonToSkip(err, systemEnvironment());
    if (reason === undefined) throw err;
    if (!said.has(reason)) process.stderr.write(`${reason}\n`);
    said.add(reason);
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

function suiteOf(context: Mocha.Context): Mocha.Suite {
  const suite = context.runnable().parent;
  if (suite === undefined) throw new Error('A control plane is asked for in a hook or a test');
  return suite;
}

/** The suite that all others of a mocha process are in: its hooks come before and after everything. */
export function rootOf(context: Mocha.Context): Mocha.Suite {
  let suite = suiteOf(context);
  while (suite.parent !== undefined) suite = suite.parent;
  return suite;
}

/** Room for a build: several times what it takes on two cores with a slow network. */
const startMsMax = 60 * 60_000;
