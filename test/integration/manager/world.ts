/**
 * What all scenarios of the manager stand on: a control plane of their own with an audit log, the
 * rights of the shipped manifest, and the shipped program. It is started once for all of their files
 * and stopped at the end of the run.
 */
import { join } from 'node:path';
import { systemEnvironment } from '@tandem/runtime';
import { type ControlPlane, startControlPlane } from '../../control-plane/index.ts';
import { reasonToSkip } from '../../control-plane/mocha.ts';
import { buildManager } from './bundle.ts';
import { killManagers } from './manager-process.ts';
import { Scene, type SceneOptions } from './scene.ts';
import { apply, type ManifestObject, readManifest } from './shipped-access.ts';

export interface World {
  readonly controlPlane: ControlPlane;
  /** The path of the program. */
  readonly bundle: string;
  readonly manifest: readonly ManifestObject[];
  /** Of the manifest's service account. */
  readonly token: string;
}

/** For the body of a `describe`: opens scenes on the world, which is there when its tests run. */
export function useWorld(): {
  readonly world: () => World;
  readonly open: (options?: SceneOptions) => Promise<Scene>;
} {
  let world: World | undefined;
  before(async function () {
    this.timeout(startMsMax);
    world = await startedOrSkipped(this);
  });
  after(() => killManagers());
  const get = (): World => {
    if (world === undefined) throw new Error('The world is there in tests and hooks only');
    return world;
  };
  return { world: get, open: (options) => Scene.open(get(), options) };
}

let shared: Promise<World> | undefined;

async function startedOrSkipped(context: Mocha.Context): Promise<World> {
  if (shared === undefined) {
    const starting = start();
    shared = starting;
    rootOf(context).afterAll('stops the control plane of the manager', () =>
      starting.then(
        ({ controlPlane }) => controlPlane.stop(),
        // Whoever asked for it has told why it could not be started.
        () => undefined,
      ),
    );
  }
  try {
    return await shared;
  } catch (err) {
    const reason = reasonToSkip(err, systemEnvironment());
    if (reason === undefined) throw err;
    process.stderr.write(`${reason}\n`);
    context['skipReason'] = 'no control plane';
    return context.skip();
  }
}

async function start(): Promise<World> {
  const controlPlane = await startControlPlane({ audit: 'on' });
  try {
    const manifest = readManifest();
    const token = await apply(controlPlane.admin, manifest);
    // It goes with the directory of the control plane.
    const bundle = await buildManager(join(controlPlane.directory, 'program'));
    return { controlPlane, manifest, token, bundle };
  } catch (err) {
    await controlPlane.stop();
    throw err;
  }
}

function rootOf(context: Mocha.Context): Mocha.Suite {
  let suite = context.runnable().parent;
  while (suite?.parent !== undefined) suite = suite.parent;
  if (suite === undefined) throw new Error('The world is asked for in a hook');
  return suite;
}

/** Room for a build of the control plane. */
const startMsMax = 60 * 60_000;
