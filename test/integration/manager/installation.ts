/**
 * The base of all scenarios of the manager: a control plane with an audit log, the rights of the shipped manifest, and
 * the shipped program. It starts once for all files of a process, when a file first needs it, and stops at the end of
 * the run. A long test may have an installation to itself.
 */
import {
  type ControlPlane,
  backgroundEnded,
  startControlPlane,
  type StartOptions,
} from '../../control-plane/index.ts';
import { rootOf, startedOrSkipped } from '../../control-plane/mocha.ts';
import { sharedBundle } from './bundle.ts';
import { closeScenarios, Scenario, type ScenarioOptions } from './scenario.ts';
import { apply, type ManifestObject, readManifest } from './shipped-access.ts';

export interface Installation {
  readonly controlPlane: ControlPlane;
  /** The path of the program. */
  readonly bundle: string;
  readonly manifest: readonly ManifestObject[];
  /** The token of the manifest's service account. */
  readonly token: string;
}

/** How the tests of a `describe` get the installation, which exists when they run. */
interface Use {
  readonly installation: () => Installation;
  readonly open: (options?: ScenarioOptions) => Promise<Scenario>;
}

/** For the body of a `describe`. */
export function useInstallation(): Use {
  let installation: Installation | undefined;
  before(async function () {
    shared ??= startOnce(rootOf(this));
    installation = await startedOrSkipped(this, shared);
  });
  const get = (): Installation => {
    if (installation === undefined)
      throw new Error('The installation is there in tests and hooks only');
    return installation;
  };
  return { installation: get, open: (options) => Scenario.open(get(), options) };
}

/** Runs a test in a control plane of its own, with its own options. */
export async function inOwnInstallation<Outcome>(
  root: Mocha.Suite,
  run: (installation: Installation) => Promise<Outcome>,
  options: StartOptions = {},
): Promise<Outcome> {
  const installation = await start(root, options);
  try {
    return await run(installation);
  } finally {
    await installation.controlPlane.stop();
  }
}

let shared: Promise<Installation> | undefined;

function startOnce(root: Mocha.Suite): Promise<Installation> {
  const starting = start(root);
  root.afterAll('stops the control plane of the manager', async function () {
    await backgroundEnded(this);
    // If it did not start, the suite that needed it has reported why.
    const installation = await starting.catch(() => undefined);
    if (installation === undefined) return;
    await closeScenarios(installation);
    await installation.controlPlane.stop();
  });
  return starting;
}

async function start(root: Mocha.Suite, options: StartOptions = {}): Promise<Installation> {
  const controlPlane = await startControlPlane({ audit: 'on', ...options });
  try {
    const manifest = readManifest();
    const token = await apply(controlPlane.admin, manifest);
    return { controlPlane, manifest, token, bundle: await sharedBundle(root) };
  } catch (err) {
    await controlPlane.stop();
    throw err;
  }
}
