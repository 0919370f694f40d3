/** A whole provider, for the imaginary cloud Acme: the example of docs/guides/write-a-provider.md. */
import type { Instance, LookupAnswer, NodeRef, Provider } from '@tandem/provider/plug';
import type { AcmeApi, Machine } from './acme-api.ts';

const scheme = 'acme://';

export function acmeProvider(api: AcmeApi): Provider {
  return {
    name: 'acme',
    limits: { batchSize: 200, callsPerSecond: 2 },
    owns: (providerID) => providerID.startsWith(scheme),
    async lookup(nodes, { signal }) {
      signal.throwIfAborted();
      // One request for all of them. If it fails, the rejection means "unknown" for every node.
      const machines = await api.machines(filterFor(nodes), signal);
      return new Map(nodes.map((node) => [node.name, answerFor(node, machines)]));
    },
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
    ids: nodes.filter(isOurs).map(({ providerID }) => providerID.slice(scheme.length)),
    hostnames: nodes.filter(({ providerID }) => providerID === '').map(({ name }) => name),
  };
}

function answerFor(node: NodeRef, machines: readonly Machine[]): LookupAnswer {
  if (node.providerID !== '' && !isOurs(node)) return unknown('AcmeNotOurs', 'it is not at Acme');
  const matches = machines.filter(
    (machine) => machine.power !== 'scrapped' && isMachineOf(node, machine),
  );
  const [machine, second] = matches;
  if (machine === undefined) return { kind: 'absent' };
  // Guessing would give a node the addresses of another machine.
  if (second !== undefined) return unknown('AcmeAmbiguous', `Acme has two machines ${node.name}`);
  return { kind: 'found', instance: instanceOf(machine) };
}

function isOurs({ providerID }: NodeRef): boolean {
  return providerID.startsWith(scheme);
}

function isMachineOf({ name, providerID }: NodeRef, { id, hostname }: Machine): boolean {
  return providerID === '' ? hostname === name : providerID === `${scheme}${id}`;
}

function instanceOf({ id, hostname, ips, size, site, power }: Machine): Instance {
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
    podCIDRs: [],
  };
}

function unknown(code: string, message: string): LookupAnswer {
  return { kind: 'unknown', err: Object.assign(new Error(message), { code }) };
}
