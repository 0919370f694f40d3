/**
 * Runs a scenario in virtual time in which every part of the manager does all that it can do, and returns the
 * permissions that each identity used. The scenario has a server without streaming lists, nodes that change during a
 * write, a node that gets its pod CIDRs from another program, nodes that need routes of which one cannot be created,
 * events whose answers are lost, a lasting refusal, a stopped instance, two that are gone, and a second manager.
 */
import { type KubeTransport, TransportError, type TransportRequest } from '@tandem/kube/transport';
import { AppWorld, type StartOptions } from '../app/app-world.fixture.ts';
import type { Account } from './roles.ts';
import { putObject } from '../../../../test/support/embedded-api.ts';

/** One use of a permission. */
export interface UsedRight {
  readonly account: Account;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string | undefined;
}

/** The flags with which the controllers of pod CIDRs and of routes run. */
export const allocating: readonly string[] = [
  '--allocate-node-cidrs',
  '--cluster-cidr=10.244.0.0/16,fd00:10:244::/48',
];

const hurried = ['--node-deletion-min-age=1s', '--node-deletion-grace=1s', '--refresh-labels'];

/** Runs the scenario. If it lasts half an hour, the events of lasting refusals are repeated. */
export async function tellStory(
  options: StartOptions,
  lastsMs: number = 120_000,
): Promise<UsedRight[]> {
  const world = new AppWorld();
  for (const name of ['plain', 'disturbed', 'overtaken']) world.addMachine(name);
  for (const name of ['stopped', 'gone', 'gone-later']) addNotReady(world, name);
  world.cloud.stop('stopped');
  world.cloud.terminate('gone');
  putNode(world, 'refused', { providerID: 'other://1' });
  addRouted(world, 'routed', '10.244.98.0/24');
  addRouted(world, 'blocked', '10.244.97.0/24');
  world.cloud.routes?.addForeign('main', '10.244.97.0/24');
  const used = new Map<string, UsedRight>();
  const lossy = new Set<Account>();
  const wrap = (transport: KubeTransport, account: Account): KubeTransport => ({
    async send(request) {
      const right = { account, ...rightOf(request) };
      used.set(JSON.stringify(right), right);
      if (isPatchOf('disturbed', request)) disturb(world, 'disturbed');
      if (isPatchOf('overtaken', request)) overtake(world, 'overtaken');
      if (isPatchOf('routed', request, 'status')) disturb(world, 'routed');
      const response = await transport.send(request);
      if (right.resource === 'events' && !lossy.has(account)) {
        lossy.add(account);
        throw lostAnswer();
      }
      return response;
    },
    close: () => transport.close(),
  });
  const start = (name: string) =>
    world.start(name, {
      ...options,
      args: [...hurried, ...allocating, ...(options.args ?? [])],
      hasStreamingList: false,
      wrap,
    });
  const first = start('first');
  await world.clock.advance(60_000);
  const standby = start('standby');
  await world.clock.advance(60_000);
  await first.stop();
  world.cloud.terminate('gone-later');
  await world.clock.advance(lastsMs);
  await standby.stop();
  return [...used.values()];
}

function lostAnswer(): TransportError {
  const facts = { code: 'ConnectionFailed', retry: 'backoff', effect: 'unknown' } as const;
  return new TransportError('The connection broke', facts);
}

/** Adds an initialised node whose kubelet no longer reports. */
function addNotReady(world: AppWorld, name: string): void {
  const { providerID } = world.cloud.create({ name });
  putNode(world, name, { providerID });
}

/** Adds an initialised node that has its pod CIDR from another program. */
function addRouted(world: AppWorld, name: string, podCIDR: string): void {
  const { providerID, addresses } = world.cloud.create({ name });
  putNode(world, name, { providerID, podCIDR, podCIDRs: [podCIDR] }, { addresses });
}

function putNode(world: AppWorld, name: string, spec: object, status: object = {}): void {
  putObject(world.model, 'nodes', {
    metadata: { name, uid: `uid-${name}`, creationTimestamp: '2026-03-01T11:00:00Z' },
    spec,
    status: { conditions: [{ type: 'Ready', status: 'Unknown' }], ...status },
  });
}

function isPatchOf(name: string, request: TransportRequest, subresource?: 'status'): boolean {
  const suffix = subresource === undefined ? '' : `/${subresource}`;
  const [path] = request.path.split('?');
  return request.method === 'PATCH' && path === `/api/v1/nodes/${name}${suffix}`;
}

/** Adds a taint between the plan for a node and the write to it, once. */
function disturb(world: AppWorld, name: string): void {
  const node = structuredClone(world.model.store.collection('nodes').get(name)) as unknown as {
    readonly spec: { taints?: { key: string; effect: string }[] };
  };
  const busy = { key: 'example.com/busy', effect: 'NoSchedule' };
  if (node.spec.taints?.some(({ key }) => key === busy.key)) return;
  node.spec.taints = [busy, ...(node.spec.taints ?? [])];
  putObject(world.model, 'nodes', node as never);
}

/** Gives the node pod CIDRs, as another program does, between the plan for the node and the write. */
function overtake(world: AppWorld, name: string): void {
  const node = structuredClone(world.model.store.collection('nodes').get(name)) as unknown as {
    readonly spec: { podCIDR?: string; podCIDRs?: string[] };
  };
  if (node.spec.podCIDRs !== undefined) return;
  node.spec.podCIDRs = ['10.244.99.0/24', 'fd00:10:244:99::/64'];
  node.spec.podCIDR = '10.244.99.0/24';
  putObject(world.model, 'nodes', node as never);
}

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

function rightOf({ method, path }: TransportRequest): Omit<UsedRight, 'account'> {
  const url = new URL(path, 'https://model');
  const match =
    /^\/(?:api|apis\/(?<group>[^/]+))\/v1(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<part>[^/]+))?)?$/.exec(
      url.pathname,
    );
  const { group = '', namespace, resource = '', name, part } = match?.groups ?? {};
  const read = url.searchParams.has('watch') ? 'watch' : name === undefined ? 'list' : 'get';
  const verb = method === 'GET' ? read : verbs[method];
  return {
    verb,
    group,
    resource: part === undefined ? resource : `${resource}/${part}`,
    namespace,
  };
}
