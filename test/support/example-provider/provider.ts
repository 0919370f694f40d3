/** A whole provider, for the imaginary cloud Acme: the example of docs/guides/write-a-provider.md. */
import type { Instance, LookupAnswer, NodeRef, Provider } from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';
import type { AcmeApi, Machine } from './acme-api.ts';

const scheme = 'acme://';
/** For nodes that people run beside those of Acme. */
const unmanagedLabel = 'acme.example/unmanaged';

export function acmeProvider(api: AcmeApi, clock: Pick<Clock, 'monotonic'>): Provider {
  return {
    name: 'acme',
    limits: { batchSize: 200, callsPerSecond: 2 },
    identify: idOf,
    async lookup(nodes, { signal }) {
      signal.throwIfAborted();
      // From before the request: what changes at Acme while it is under way may be missing.
      const asOfMs = clock.monotonic();
      // One request for all of them. If it fails, the rejection means "unknown" for every node.
      const machines = await api.machines(filterFor(nodes), signal);
      return new Map(nodes.map((node) => [node.name, answerFor(node, machines, asOfMs)]));
    },
    // Acme's ids are in small letters, so that they are the keys.
    watch: (onChange, { signal }) => api.follow(onChange, signal),
    async checkAccess({ signal }) {
      signal.throwIfAborted();
      const rights = await api.rights(signal).catch((err: unknown) => {
        throw isUnauthorized(err) ? refused('Make a new token', err) : err;
      });
      if (!rights.includes('machines:read')) throw refused('Give the token machines:read');
    },
  };
}

/** Said in the log when the manager starts, so it names what to do. */
function refused(remedy: string, cause?: unknown): Error {
  const message = `Acme does not let us read machines. ${remedy} in Acme's console`;
  const facts = { code: 'AcmeAccessRefused', retry: 'never' };
  return Object.assign(new Error(message, { cause }), facts);
}

function isUnauthorized(err: unknown): boolean {
  return err instanceof Error && 'code' in err && err.code === 'AcmeUnauthorized';
}

/** By id where the node has a providerID, else by name. Nodes of other clouds are not asked about. */
function filterFor(nodes: readonly NodeRef[]): { ids: string[]; hostnames: string[] } {
  return {
    ids: nodes.flatMap(({ providerID }) => idOf(providerID) ?? []),
    hostnames: nodes.filter(({ providerID }) => providerID === '').map(({ name }) => name),
  };
}

function answerFor(node: NodeRef, machines: readonly Machine[], asOfMs: number): LookupAnswer {
  const isForeign = node.providerID !== '' && idOf(node.providerID) === undefined;
  if (isForeign || node.labels[unmanagedLabel] === 'true') return { kind: 'notOurs' };
  const matches = machines.filter(
    (machine) => machine.power !== 'scrapped' && isMachineOf(node, machine),
  );
  const [machine, second] = matches;
  if (machine === undefined) return { kind: 'absent', asOfMs };
  // Guessing would give a node the addresses of another machine.
  if (second !== undefined) return unknown('AcmeAmbiguous', `Acme has two machines ${node.name}`);
  return { kind: 'found', instance: instanceOf(machine), asOfMs };
}

/** Acme's older tools write ids in capitals. In small letters, one machine has one key. */
function idOf(providerID: string): string | undefined {
  return providerID.startsWith(scheme) ? providerID.slice(scheme.length).toLowerCase() : undefined;
}

function isMachineOf({ name, providerID }: NodeRef, { id, hostname }: Machine): boolean {
  return providerID === '' ? hostname === name : idOf(providerID) === id;
}

function instanceOf({ id, hostname, ips, podRanges, size, site, power }: Machine): Instance {
  const isIPv6 = (text: string): boolean => text.includes(':');
  return {
    providerID: `${scheme}${id}`,
    addresses: [
      // Acme promises no order, and Tandem takes the first address of a family: so we make one.
      ...ips.toSorted().map((address) => ({ type: 'InternalIP', address })),
      { type: 'Hostname', address: hostname },
    ],
    instanceType: size,
    zone: site,
    state: power === 'on' ? 'running' : 'stopped',
    labels: {},
    podBlocks: {
      IPv4: podRanges.filter((range) => !isIPv6(range)),
      IPv6: podRanges.filter(isIPv6),
    },
  };
}

function unknown(code: string, message: string): LookupAnswer {
  return { kind: 'unknown', err: Object.assign(new Error(message), { code }) };
}
