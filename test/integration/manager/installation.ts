/**
 * What all scenarios of the manager stand on: a control plane of their own that records who asks for
 * what, the rights of the shipped manifest, and the shipped program. It is started once for all files of
 * a process, when a file first asks for it, and stopped at the end of the run. A story that takes long
 * may have one to itself.
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
  /** Of the manifest's service account. */
  readonly token: string;
}

/** How the tests of a `describe` get at the installation, which is there when they run. */
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

/** Tells a story in a control plane that is there for it alone, and as it wants it. */
export async function inOwnInstallation<Outcome>(
  root: Mocha.Suite,
  story: (installation: Installation) => Promise<Outcome>,
  options: StartOptions = {},
): Promise<Outcome> {
  const installation = await start(root, options);
  try {
    return await story(installation);
  } finally {
    await installation.controlPlane.stop();
  }
}

let shared: Promise<Installation> | undefined;

function startOnce(root: Mocha.Suite): Promise<Installation> {
  const starting = start(root);
  root.afterAll('stops the control plane of the manager', async function () {
    await backgroundEnded(this);
    // Where it did not start, the suite that asked for it has reported why.
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
