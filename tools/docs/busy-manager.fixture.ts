/**
 * A whole manager in virtual time, with everything that registers metrics, in a cluster with nodes in many states. The
 * reference pages must have all metrics and events of this run.
 */
import { uninitializedTaint } from '@tandem/core/node-init';
import { createKubeClient } from '@tandem/kube/client';
import { loadCredentials } from '@tandem/kube/credentials';
import { App } from '@tandem/manager/app';
import { noConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import { EventLoopWatch } from '@tandem/manager/health';
import { checkCloudAccess, runSelfChecks } from '@tandem/manager/self-check';
import { createServing } from '@tandem/serving';
import type { Routes } from '@tandem/provider/plug';
import { createStaticProvider } from '@tandem/provider-static';
import { CcmError, type Clock, createLogger, createMetrics, seededIds } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { createCluster, type GivenObject, putObject } from '../../test/support/embedded-api.ts';

const inventory = `
apiVersion: tandem.dev/v1alpha1
kind: StaticInventory
instances:
  - {name: new, addresses: [{type: InternalIP, address: 10.0.0.1}]}
  - {name: refused, addresses: [{type: InternalIP, address: 10.0.0.2}]}
  - {name: stopped, state: stopped, addresses: [{type: InternalIP, address: 10.0.0.3}]}
`;

interface NodeSketch {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: object;
  readonly isReady: boolean;
}

const nodes: readonly NodeSketch[] = [
  { name: 'new', spec: tainted(), isReady: true },
  {
    name: 'refused',
    annotations: { 'tandem.dev/node-ip': 'IPv6' },
    spec: tainted(),
    isReady: true,
  },
  { name: 'paused', annotations: { 'tandem.dev/paused': 'true' }, spec: {}, isReady: true },
  { name: 'foreign', spec: { providerID: 'other://1' }, isReady: true },
  { name: 'stopped', spec: { providerID: 'static:///stopped' }, isReady: false },
  { name: 'gone', spec: { providerID: 'static:///gone' }, isReady: false },
  {
    name: 'outside',
    spec: { providerID: 'other://2', podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] },
    isReady: true,
  },
];

interface SeenEvent {
  readonly reportingComponent: string;
  readonly reason: string;
  readonly type: string;
  readonly action: string;
}

/** Returns the text of `/metrics` and the events after some minutes. */
export async function observeManager(): Promise<{
  readonly metrics: string;
  readonly events: readonly SeenEvent[];
}> {
  const clock = virtualClock({ startMs: Date.parse('2026-03-01T12:00:00Z') });
  const random = seededRandom('busy');
  const logger = createLogger({ clock, destination: { write: () => undefined } });
  const metrics = createMetrics();
  const model = createCluster({ clock, random });
  for (const node of nodes) putObject(model, 'nodes', objectOf(node));
  const transport = model.connect();
  const ids = seededIds(random);
  const ports = {
    clock,
    random,
    ids,
    logger,
    metrics,
    transport,
    server: 'https://model',
    hostname: 'here',
  };
  const settings = settingsOf([
    '--cloud-provider=static',
    '--allocate-node-cidrs',
    '--cluster-cidr=10.244.0.0/23',
  ]);
  await loadCredentials({ ...ports, search: 'pod', environment: {}, telemetry: ports });

  const stop = new AbortController();
  const { signal } = stop;
  const app = new App(ports, settings);
  const fileSystem = { version: async () => '1', read: async () => inventory };
  const opening = createStaticProvider({ ...ports, configPath: 'inventory.yaml' }, fileSystem);
  const [provider] = await Promise.all([opening, clock.advance(100)]);
  const client = createKubeClient(ports);
  const checks = runSelfChecks({ ...ports, client, settings, identity: 'here', signal });
  const loop = new EventLoopWatch(clock, metrics).watch(signal);
  registerServing({ ...ports, settings: settings.serving });
  const runs = [
    app.follow(signal),
    app.run({ ...provider, routes: fullTable(clock) }, signal),
    checks,
    checkCloudAccess({ ...ports, provider, signal }),
    loop,
  ];
  await clock.advance(180_000);
  const text = await metrics.render();
  stop.abort(new Error('Enough was seen'));
  await Promise.all([...runs, clock.advance(20_000)]);
  return { metrics: text, events: eventsIn(model.store.collection('events').list()) };
}

/** A route table that accepts no route. */
function fullTable(clock: Clock): Routes {
  const err = new CcmError('The table is full', {
    code: 'TableFull',
    retry: 'backoff',
    effect: 'none',
  });
  return {
    families: ['IPv4'],
    list: async () => ({
      asOfMs: clock.monotonic(),
      tables: [{ id: 'main', capacity: 50, routes: [] }],
    }),
    apply: async (operations) => operations.map(() => ({ kind: 'refused', err })),
  };
}

/** Creates the secure port without opening it, which registers its metrics. */
function registerServing(
  ports: Omit<
    Parameters<typeof createServing>[0],
    'authentication' | 'authorizationClient' | 'pages'
  >,
): void {
  createServing({
    ...ports,
    authentication: undefined,
    authorizationClient: undefined,
    pages: {
      livez: [],
      readyz: [],
      healthz: [],
      metrics: () => Promise.resolve(''),
      lists: new Map(),
      configz: () => ({}),
      flagz: () => new Map(),
      statusz: () => ({
        startedMs: 0,
        uptimeMs: 0,
        binaryVersion: '',
        runtimeVersion: '',
        leader: '',
        nodes: undefined,
        sections: [],
      }),
    },
  });
}

function settingsOf(args: readonly string[]): ConstructorParameters<typeof App>[1] {
  const line = parseCommandLine(args);
  if (line.kind !== 'run') throw new Error(`these flags run nothing: ${args.join(' ')}`);
  const { settings, problems } = joinConfiguration(line, noConfiguration);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}

function tainted(): object {
  return { taints: [{ key: uninitializedTaint, effect: 'NoSchedule' }] };
}

function objectOf({ name, annotations = {}, spec, isReady }: NodeSketch): GivenObject {
  const metadata = {
    name,
    uid: `uid-${name}`,
    creationTimestamp: '2026-03-01T11:00:00Z',
    labels: {},
    annotations,
  };
  const ready = { type: 'Ready', status: isReady ? 'True' : 'Unknown' };
  return { metadata, spec, status: { conditions: [ready] } };
}

function eventsIn(objects: readonly object[]): SeenEvent[] {
  return objects.map((object) => {
    const { reportingComponent, reason, type, action } = object as SeenEvent;
    return { reportingComponent, reason, type, action };
  });
}
