/**
 * Control planes for mocha suites: shared ones, because a start takes seconds, and private ones for suites with
 * special options. Without the programs, suites are skipped and one line says why; with `REQUIRE_CONTROL_PLANE=1`, as
 * in CI, they fail.
 */
import { type Environment, systemEnvironment } from '@tandem/runtime';
import { backgroundEnded } from './background.ts';
import { findPrograms } from './binaries/find.ts';
import { minors, readMinorRecipe } from './binaries/recipe.ts';
import type { ControlPlane } from './control-plane.ts';
import { ControlPlaneError } from './errors.ts';
import { startControlPlane, type StartOptions } from './start.ts';

/**
 * The control plane that the files of this mocha run share; call it in a `before` hook. Tests use unique names in it,
 * and neither restart nor pause it.
 */
export function sharedControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  return startedOnce(context, 'undisturbed');
}

/**
 * The one that files share which kill, pause, restart or wipe it, one after the other. Each file leaves it running,
 * and relies on nothing that another file has left in it.
 */
export function disturbedControlPlane(context: Mocha.Context): Promise<ControlPlane> {
  return startedOnce(context, 'disturbed');
}

/** The one for files that need an API server which forgets soon: no watch cache, short-lived events. */
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
    // If it did not start, the suite that needed it has reported why.
    const controlPlane = await starting.catch(() => undefined);
    await controlPlane?.stop();
  });
  return startedOrSkipped(context, starting);
}

/** A control plane for the calling suite alone, stopped when the suite has ended. */
export async function privateControlPlane(
  context: Mocha.Context,
  options: StartOptions = {},
): Promise<ControlPlane> {
  const controlPlane = await startedOrSkipped(context, startControlPlane(options));
  suiteOf(context).afterAll('stops its control plane', () => controlPlane.stop());
  return controlPlane;
}

/** For suites whose own processes start control planes: builds the programs, or skips. */
export async function requirePrograms(context: Mocha.Context): Promise<void> {
  await startedOrSkipped(context, findPrograms(['etcd', 'kube-apiserver']));
}

/** For suites with a control plane of each minor: builds the programs, or skips. */
export async function requireMinors(context: Mocha.Context): Promise<void> {
  for (const minor of minors) {
    const recipe = readMinorRecipe(minor);
    const finding = findPrograms(['etcd', 'kube-apiserver'], { recipe });
    await startedOrSkipped(context, finding);
  }
}

/** Resolves with what was started. Without the programs, it skips the suite and says why once. */
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

/** The line to print when tests are skipped, or `undefined` when they must fail instead. */
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

/** The root suite of a mocha process. Its hooks run before and after all others. */
export function rootOf(context: Mocha.Context): Mocha.Suite {
  let suite = suiteOf(context);
  while (suite.parent !== undefined) suite = suite.parent;
  return suite;
}

/** Room for a build: several times what it takes on two cores with a slow network. */
const startMsMax = 60 * 60_000;
