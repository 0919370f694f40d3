/**
 * One scenario on an installation: its inventory, its kubelets, its managers, and the nodes and events on the API
 * server. Every scenario checks P1 at its end. Closing it leaves no process, no node and no Lease.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeTransport } from '@tandem/kube/transport';
import { kubeconfigOf } from '@tandem/devcluster/kubeconfig';
import type { Environment } from '@tandem/runtime';
import {
  type ApiResponse,
  type ControlPlane,
  type Credentials,
  eventually,
  type ApiRequest,
  request,
  requestOk,
} from '../../control-plane/index.ts';
import { patienceMs } from '../../support/process/index.ts';
import { CuttingProxy } from '../../support/cutting-proxy/index.ts';
import {
  type KubeletFlags,
  SimulatedKubelet,
  transportFor,
} from '../../support/simulated-kubelet/index.ts';
import { Inventory, type Machine } from './inventory.ts';
import { ManagerProcess } from './manager-process.ts';
import { Mirror } from './mirror.ts';
import { hasTaint, isUnsafe, type SeenEvent, type SeenNode } from './seen-node.ts';
import type { Installation } from './installation.ts';

export interface ScenarioOptions {
  readonly machines?: readonly Machine[];
  /** Beside upstream's manager P1 does not hold: it removes the taint before it writes addresses. */
  readonly company?: 'upstream';
}

export interface StartOptions {
  /** Beyond those of every manager in a scenario. Of two equal flags, the last counts. */
  readonly flags?: readonly string[];
  /** A proxy between the manager and the API server. */
  readonly through?: CuttingProxy;
  /** The manager's token; by default one with the rights of the shipped manifest. */
  readonly token?: string;
  /** Flags of another provider than the static one with its inventory. */
  readonly provider?: readonly string[];
  /** Its environment variables; none by default. */
  readonly environment?: Environment;
  /** A program that runs the shipped one under unusual conditions; by default the shipped one. */
  readonly program?: string;
}

export class Scenario implements AsyncDisposable {
  readonly directory: string;
  readonly inventory: Inventory;
  readonly controlPlane: ControlPlane;
  readonly nodes: Mirror<SeenNode>;
  readonly events: Mirror<SeenEvent>;
  readonly #installation: Installation;
  readonly #company: ScenarioOptions['company'];
  /** The transport of all kubelets. */
  readonly #kubelets: KubeTransport;
  readonly #managers: ManagerProcess[] = [];
  readonly #proxies: CuttingProxy[] = [];
  #kubeconfigs = 0;

  static async open(installation: Installation, options: ScenarioOptions = {}): Promise<Scenario> {
    const directory = await mkdtemp(join(tmpdir(), 'tandem-manager-scenario-'));
    const scenario = new Scenario(installation, directory, options);
    opened.set(scenario, installation);
    await scenario.inventory.write(options.machines ?? []);
    await scenario.nodes.start();
    await scenario.events.start();
    return scenario;
  }

  private constructor(installation: Installation, directory: string, { company }: ScenarioOptions) {
    const { admin } = installation.controlPlane;
    this.#installation = installation;
    this.#company = company;
    this.directory = directory;
    this.controlPlane = installation.controlPlane;
    this.inventory = new Inventory(join(directory, 'inventory.yaml'));
    this.#kubelets = transportFor(admin);
    this.nodes = new Mirror(admin, nodesPath);
    this.events = new Mirror(admin, eventsPath);
  }

  /** Starts the program with the rights of the shipped manifest. */
  async start(options: StartOptions = {}): Promise<ManagerProcess> {
    const provider = options.provider ?? [
      '--cloud-provider=static',
      `--cloud-config=${this.inventory.path}`,
    ];
    const flags = [
      ...provider,
      `--kubeconfig=${await this.kubeconfig(options)}`,
      '--secure-port=0',
      '--logging-format=json',
      ...(options.flags ?? []),
    ];
    const program = options.program ?? this.#installation.bundle;
    const manager = new ManagerProcess(program, flags, options.environment);
    this.#managers.push(manager);
    return manager;
  }

  /** Writes a kubeconfig with the manager's token or the given one, and returns its path. */
  async kubeconfig({
    through,
    token = this.#installation.token,
  }: StartOptions = {}): Promise<string> {
    const { server, ca } = through?.address ?? this.controlPlane.admin;
    this.#kubeconfigs += 1;
    const path = join(this.directory, `${this.#kubeconfigs}.kubeconfig`);
    const who = { name: 'scenario', user: 'scenario', credentials: { token } };
    await writeFile(path, kubeconfigOf({ server, ca, ...who }), { mode: 0o600 });
    return path;
  }

  /** Atomically puts another token into the kubeconfig of a running manager. */
  async rewriteKubeconfig(manager: ManagerProcess, options: StartOptions): Promise<void> {
    await rename(await this.kubeconfig(options), kubeconfigPathOf(manager));
  }

  /** A proxy to the API server, for one manager or several. */
  async proxy(): Promise<CuttingProxy> {
    const proxy = await CuttingProxy.start(this.controlPlane.admin);
    this.#proxies.push(proxy);
    return proxy;
  }

  /** The manager's credentials, for requests of the test itself. */
  get managerCredentials(): Credentials {
    const { server, ca } = this.controlPlane.admin;
    return { server, ca, token: this.#installation.token };
  }

  kubelet(flags: KubeletFlags): SimulatedKubelet {
    return new SimulatedKubelet(this.#kubelets, flags);
  }

  /** Registers the node of a kubelet, and waits until the mirror has it. */
  async register(flags: KubeletFlags): Promise<SimulatedKubelet> {
    const kubelet = this.kubelet(flags);
    const uid = await kubelet.register();
    // The scenario continues while this waits, so that the node may be gone already.
    await eventually(() => this.nodes.history.some(({ metadata }) => metadata.uid === uid));
    return kubelet;
  }

  /** An existing node. */
  node(name: string): SeenNode {
    const node = this.nodes.objects.get(name);
    assert.ok(node !== undefined, `there is no node ${name}`);
    return node;
  }

  eventsOf(name: string): SeenEvent[] {
    const { uid } = this.node(name).metadata;
    return [...this.events.objects.values()].filter(({ regarding }) => regarding.uid === uid);
  }

  /** Waits until none of these nodes has the taint. */
  async untilInitialised(names: readonly string[], withinMs: number = patienceMs): Promise<void> {
    await this.#eventually(withinMs, () => {
      const waiting = names.filter((name) => hasTaint(this.node(name)));
      // Naming thousands of nodes would take longer than the check itself.
      const some = waiting.slice(0, 10).join(', ');
      assert.ok(waiting.length === 0, `${waiting.length} are still uninitialised: ${some}`);
      return true;
    });
  }

  /** Waits for an event with this reason on the node, and returns it. */
  async untilSaid(name: string, reason: string, withinMs: number = patienceMs): Promise<SeenEvent> {
    return this.#eventually(withinMs, () => {
      const found = this.eventsOf(name).find((event) => event.reason === reason);
      const reasons = this.eventsOf(name).map((event) => event.reason);
      assert.ok(found !== undefined, `${name} has only ${reasons.join(', ') || 'no event'}`);
      return found;
    });
  }

  /** Waits until the probe succeeds. On a failure, the error shows the output of the managers. */
  async until<Found>(
    probe: () => Promise<Found> | Found,
    withinMs: number = patienceMs,
  ): Promise<void> {
    await this.#eventually(withinMs, probe);
  }

  async #eventually<Found>(
    withinMs: number,
    probe: () => Promise<Found> | Found,
  ): Promise<Exclude<Found, undefined | false>> {
    try {
      return await eventually(probe, { withinMs });
    } catch (err) {
      const tails = this.#managers.map(({ tail }) => tail).join('\n---\n');
      const why = err instanceof Error && err.cause instanceof Error ? err.cause.message : '';
      throw new Error(`Not so within ${withinMs} ms: ${why}\n${tails}`, { cause: err });
    }
  }

  /** Changes annotations of a node as a user would; null removes one. */
  async annotate(name: string, annotations: Record<string, string | null>): Promise<void> {
    await this.patchNode(name, { metadata: { annotations } });
  }

  async patchNode(name: string, body: unknown): Promise<void> {
    const contentType = 'application/merge-patch+json';
    await this.ask({ method: 'PATCH', path: `${nodesPath}/${name}`, contentType, body });
  }

  async deleteNode(name: string): Promise<void> {
    await this.ask({ method: 'DELETE', path: `${nodesPath}/${name}` });
    await eventually(() => !this.nodes.objects.has(name));
  }

  /** Sends a request as the administrator, and rejects if the API server refuses. */
  ask(question: ApiRequest): Promise<ApiResponse> {
    return requestOk(this.controlPlane.admin, question);
  }

  /** The holder of the Lease, or an empty text. */
  async leaseHolder(): Promise<string> {
    const answer = await request(this.controlPlane.admin, { path: leasePath });
    if (answer.status === 404) return '';
    return JSON.parse(answer.text).spec.holderIdentity ?? '';
  }

  /** Deletes the Lease, so that the next manager need not wait until it expires. */
  async deleteLease(): Promise<void> {
    await request(this.controlPlane.admin, { method: 'DELETE', path: leasePath });
  }

  /** P1: no node was ever without the taint while it lacked its addresses or its providerID. */
  assertSafe(): void {
    const unsafe = this.nodes.history.filter(isUnsafe);
    assert.deepEqual(unsafe, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    opened.delete(this);
    await Promise.all(this.#managers.map((manager) => manager.kill()));
    await Promise.all(this.#proxies.map((proxy) => proxy[Symbol.asyncDispose]()));
    await this.ask({ method: 'DELETE', path: nodesPath });
    await this.deleteLease();
    await eventually(() => this.nodes.objects.size === 0);
    await Promise.all([this.nodes.stop(), this.events.stop(), this.#kubelets.close()]);
    await rm(this.directory, { recursive: true, force: true });
    if (this.#company === undefined) this.assertSafe();
  }
}

const opened = new Map<AsyncDisposable, object>();

/** Closes the scenarios that are still open because `--grep` left out the tests that close them. */
export async function closeScenarios(installation: object): Promise<void> {
  for (const [scenario, of] of opened)
    if (of === installation) await scenario[Symbol.asyncDispose]();
}

const nodesPath = '/api/v1/nodes';
const eventsPath = '/apis/events.k8s.io/v1/namespaces/default/events';
const leasePath =
  '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/cloud-controller-manager';

/** The kubeconfig that a manager was started with. */
export function kubeconfigPathOf({ flags }: ManagerProcess): string {
  const flag = '--kubeconfig=';
  const given = flags.findLast((each) => each.startsWith(flag));
  assert.ok(given !== undefined, 'it was started without a kubeconfig');
  return given.slice(flag.length);
}
