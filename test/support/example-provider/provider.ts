/** A whole provider, for the imaginary cloud Acme: the example of docs/guides/write-a-provider.md. */
import type * as plug from '@tandem/provider/plug';
import type { AcmeApi, AcmeRoute, Machine } from './acme-api.ts';

type Context = Pick<plug.ProviderContext, 'clock' | 'clusterName'>;

export function acmeProvider(api: AcmeApi, { clock, clusterName }: Context): plug.Provider {
  return {
    name: 'acme',
    limits: { batchSize: 200, callsPerSecond: 2 },
    identify: idOf,
    async lookup(nodes, { signal }) {
      // From before the request: what changes at Acme while it is under way may be missing.
      const asOfMs = clock.monotonic();
      const ids = nodes.flatMap(({ providerID }) => idOf(providerID) ?? []);
      const hostnames = nodes.map(({ name }) => name);
      // One request for all of them. If it fails, the rejection means "unknown" for every node.
      const machines = await api.machines({ ids, hostnames }, signal);
      return new Map(nodes.map((node) => [node.name, answerFor(node, machines, asOfMs)]));
    },
    // Acme's ids are in small letters, so that they are the keys.
    watch: (onChange, { signal }) => api.follow(onChange, signal),
    async checkAccess({ signal }) {
      const rights = await api.rights(signal);
      if (rights.includes('machines:read')) return;
      // The log shows it when the manager starts, so it says what to do.
      const message =
        "Acme does not let us read machines. Give the token machines:read in Acme's console";
      throw errorOf('AcmeAccessRefused', message, { retry: 'never' });
    },
    routes: {
      families: ['IPv4', 'IPv6'],
      async list({ signal }) {
        const asOfMs = clock.monotonic();
        const listed = await api.routes(signal);
        const routes = listed.map((route) => routeOf(route, clusterName));
        return { asOfMs, tables: [{ id: 'acme', routes }] };
      },
      async apply(operations, { signal, beforeWrite }) {
        const outcomes: plug.RouteOutcome[] = [];
        for (const operation of operations) {
          // Throws when this manager no longer leads. Nothing comes between it and the request.
          beforeWrite();
          const changing = api.changeRoute(changeOf(operation, clusterName), signal);
          outcomes.push(await changing.then(() => ({ kind: 'applied' }), outcomeOf));
        }
        return outcomes;
      },
    },
  };
}

/** Acme's older tools write ids in capitals. In small letters, one machine has one key. */
function idOf(providerID: string): string | undefined {
  return /^acme:\/\/(.*)$/.exec(providerID)?.[1]?.toLowerCase();
}

function answerFor(
  { name, providerID, labels }: plug.NodeRef,
  machines: readonly Machine[],
  asOfMs: number,
): plug.LookupAnswer {
  const key = idOf(providerID);
  const isForeign = providerID !== '' && key === undefined;
  // The label is for nodes that people run beside those of Acme.
  if (isForeign || labels['acme.example/unmanaged'] === 'true') return { kind: 'notOurs' };
  // By id where the node has a providerID, else by name.
  const [machine, second] = machines
    .filter(({ id, hostname }) => (key === undefined ? hostname === name : id === key))
    .filter(({ power }) => power !== 'scrapped');
  if (machine === undefined) return { kind: 'absent', asOfMs };
  if (second === undefined) return { kind: 'found', instance: instanceOf(machine), asOfMs };
  // Guessing would give a node the addresses of another machine.
  return { kind: 'unknown', err: errorOf('AcmeAmbiguous', `Acme has two machines ${name}`) };
}

function instanceOf({ id, hostname, ips, podRanges, size, site, power }: Machine): plug.Instance {
  return {
    providerID: `acme://${id}`,
    addresses: [
      // Acme promises no order, and Tandem takes the first address of a family: so we make one.
      ...ips.toSorted().map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: hostname },
    ],
    instanceType: size,
    zone: site,
    state: power === 'on' ? 'running' : 'stopped',
    labels: {},
    podBlocks: podRanges,
  };
}

/** Routes of other clusters, and of people, have another tag. */
function routeOf({ network, machine, tag }: AcmeRoute, clusterName: string): plug.Route {
  const target: plug.RouteTarget =
    machine === undefined ? { kind: 'other' } : { kind: 'instance', key: machine, ready: true };
  return { id: network, destination: network, ours: tag === clusterName, target };
}

function changeOf(
  operation: plug.RouteOperation,
  tag: string,
): Parameters<AcmeApi['changeRoute']>[0] {
  const { kind: action } = operation;
  const network = action === 'create' ? operation.destination : operation.route;
  return { action, network, machine: action === 'delete' ? undefined : operation.to.key, tag };
}

/** Acme has refused what it gives a reason for. After any other error, the route may have changed. */
function outcomeOf(err: Error & { readonly code?: string }): plug.RouteOutcome {
  if (err.code === 'AcmeRouteTaken') return { kind: 'refused', err, reason: 'exists' };
  if (err.code === 'AcmeTableFull') return { kind: 'refused', err, reason: 'tableFull' };
  return { kind: err.code === 'AcmeNoRoute' ? 'refused' : 'unknown', err };
}

function errorOf(code: string, message: string, facts: object = {}): Error {
  return Object.assign(new Error(message), { code, ...facts });
}
