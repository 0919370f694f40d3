/**
 * What all scenarios of the manager stand on: a cluster of their own that records who asks for what,
 * the rights of the shipped manifest, and the shipped program. There is one cluster with the real API
 * server and one with the embedded one; each is started once for all files of a process, when a file
 * first asks for it, and stopped at the end of the run. A story that takes long may have one to itself.
 */
import { systemEnvironment } from '@tandem/runtime';
import {
  type ApiServerOptions,
  type ControlPlane,
  scenesOver,
  startControlPlane,
} from '../../control-plane/index.ts';
import { reasonToSkip } from '../../control-plane/mocha.ts';
import { sharedBundle } from './bundle.ts';
import { type Cluster, type Clusters, type ServerName, servers } from './cluster.ts';
import { EmbeddedControlPlane } from './embedded-control-plane.ts';
import { killManagers } from './manager-process.ts';
import { rootOf } from './root-suite.ts';
import { closeScenes, Scene, type SceneOptions } from './scene.ts';
import { type DeclareScenario, type DeclareSetUp, SideBySide } from './side-by-side.ts';
import { apply, type ManifestObject, readManifest } from './shipped-access.ts';

export interface World<Of extends Cluster = ControlPlane> {
  readonly controlPlane: Of;
  /** The path of the program. */
  readonly bundle: string;
  readonly manifest: readonly ManifestObject[];
  /** Of the manifest's service account. */
  readonly token: string;
}

/** How the tests of a `describe` get at the world, which is there when they run. */
export interface Use<Of extends Cluster = Cluster> {
  readonly world: () => World<Of>;
  readonly open: (options?: SceneOptions) => Promise<Scene<Of>>;
}

/** How tests that are declared once get at the world of the server that they run on. */
export interface UseOnEach extends Use {
  /** In mocha's place, for tests that mostly wait and share nothing: on all servers at once. */
  readonly it: DeclareScenario;
  /** In mocha's place, for what the tests of a server stand on: made on all servers at once. */
  readonly before: DeclareSetUp;
}

/** A `describe` for each API server, with the same tests. */
export function onEachServer(
  title: string,
  declare: (this: Mocha.Suite, use: UseOnEach) => void,
): void {
  const scenarios = new SideBySide();
  for (const server of servers) {
    describe(`${title} (${server})`, function () {
      const { ready, ...use } = useWorldOf(server);
      declare.call(this, { ...use, ...scenarios.declareOn(ready) });
    });
  }
}

/** For the body of a `describe` that is about the real API server alone. */
export function useWorld(): Use<ControlPlane> {
  return useWorldOf('real API server');
}

/** For the body of a `describe` that is about one API server alone. */
export function useWorldOf<Name extends ServerName>(
  server: Name,
): Use<Clusters[Name]> & { readonly ready: (root: Mocha.Suite) => Promise<void> } {
  let world: World<Clusters[Name]> | undefined;
  const ready = async (root: Mocha.Suite): Promise<void> => {
    world = await (shared[server] ?? startOnce(root, server));
  };
  before(async function () {
    this.timeout(startMsMax);
    await ready(rootOf(this)).catch((err: unknown) => failOrSkip(this, err));
  });
  after(() => {
    if (world !== undefined) killManagers(world);
  });
  const get = (): World<Clusters[Name]> => {
    if (world === undefined) throw new Error('The world is there in tests and hooks only');
    return world;
  };
  return { world: get, open: (options) => Scene.open(get(), options), ready };
}

/** Tells a story in a cluster with the real API server that is there for it alone, and as it wants it. */
export async function inOwnWorld(
  root: Mocha.Suite,
  story: (world: World) => Promise<void>,
  apiServer: ApiServerOptions = {},
): Promise<void> {
  const world = await start(() => startControlPlane({ audit: 'on', ...apiServer }), root);
  try {
    await story(world);
  } finally {
    await world.controlPlane.stop();
  }
}

function failOrSkip(context: Mocha.Context, err: unknown): never {
  const reason = reasonToSkip(err, systemEnvironment());
  if (reason === undefined) throw err;
  process.stderr.write(`${reason}\n`);
  context['skipReason'] = 'no control plane';
  return context.skip();
}

type Worlds = { [Name in ServerName]?: Promise<World<Clusters[Name]>> };
const shared: Worlds = {};

const starters: { readonly [Name in ServerName]: () => Promise<Clusters[Name]> } = {
  'embedded API server': () => EmbeddedControlPlane.start(),
  'real API server': () => startControlPlane({ audit: 'on' }),
};

function startOnce<Name extends ServerName>(
  root: Mocha.Suite,
  server: Name,
): Promise<World<Clusters[Name]>> {
  const starting = start(starters[server], root);
  const worlds: { [name: string]: Promise<unknown> } = shared;
  worlds[server] = starting;
  root.afterAll(`stops the ${server} of the manager`, async function () {
    await scenesOver(this);
    // Whoever asked for one that could not be started was told why.
    const world = await starting.catch(() => undefined);
    if (world === undefined) return;
    await closeScenes(world);
    await world.controlPlane.stop();
  });
  return starting;
}

async function start<Of extends Cluster>(
  startCluster: () => Promise<Of>,
  root: Mocha.Suite,
): Promise<World<Of>> {
  const controlPlane = await startCluster();
  try {
    const manifest = readManifest();
    const token = await apply(controlPlane.admin, manifest);
    return { controlPlane, manifest, token, bundle: await sharedBundle(root) };
  } catch (err) {
    await controlPlane.stop();
    throw err;
  }
}

/** Room for a build of the control plane. */
const startMsMax = 60 * 60_000;
