/** A fake of Acme's API, in memory, with hands for the lab. */
import { formatCidr, parseCidr } from '@tandem/core/ip';
import type { AcmeApi, AcmeRoute, Machine } from './acme-api.ts';

export class FakeAcme implements AcmeApi {
  readonly #machines = new Map<string, Machine>();
  readonly #routes = new Map<string, AcmeRoute>();
  readonly #followers = new Set<(ids: readonly string[]) => void>();
  /** Why no request is answered. */
  outage: Error | undefined;
  tokenIsValid = true;
  routesMax = 100;
  /** Requests to change a route that arrived. */
  changes = 0;

  /** The machine of that name, made or changed. */
  put(hostname: string, changes: Partial<Machine>): Machine {
    const id = `m-${this.#machines.size}`;
    const blank = { id, hostname, ips: [], podRanges: { IPv4: [], IPv6: [] } };
    const usual = { size: 'xl', site: 'north', power: 'on' } as const;
    const machine = { ...blank, ...usual, ...this.#machines.get(hostname), ...changes };
    this.#machines.set(hostname, machine);
    this.#tell(machine.id);
    return machine;
  }

  scrap(hostname: string): void {
    const id = this.#machines.get(hostname)?.id;
    this.#machines.delete(hostname);
    if (id !== undefined) this.#tell(id);
  }

  /** A route to a gateway, as people make them. */
  addGateway(network: string): void {
    this.#routes.set(valueOf(network), { network, machine: undefined, tag: 'by hand' });
  }

  async machines(
    { ids, hostnames }: Parameters<AcmeApi['machines']>[0],
    signal: AbortSignal,
  ): Promise<readonly Machine[]> {
    this.#arrive(signal);
    return [...this.#machines.values()].filter(
      ({ id, hostname }) => ids.includes(id) || hostnames.includes(hostname),
    );
  }

  follow(onChange: (ids: readonly string[]) => void, signal: AbortSignal): void {
    this.#followers.add(onChange);
    signal.addEventListener('abort', () => this.#followers.delete(onChange), { once: true });
  }

  async rights(signal: AbortSignal): Promise<readonly string[]> {
    this.#arrive(signal);
    return this.tokenIsValid ? ['machines:read', 'routes:write'] : [];
  }

  async routes(signal: AbortSignal): Promise<readonly AcmeRoute[]> {
    this.#arrive(signal);
    return [...this.#routes.values()];
  }

  async changeRoute(
    { action, ...route }: Parameters<AcmeApi['changeRoute']>[0],
    signal: AbortSignal,
  ): Promise<void> {
    this.#arrive(signal);
    this.changes++;
    const value = valueOf(route.network);
    const old = this.#routes.get(value);
    if (action === 'create' && old !== undefined) throw refusal('AcmeRouteTaken');
    if (action !== 'create' && old === undefined) throw refusal('AcmeNoRoute');
    const isFull = this.#routes.size >= this.routesMax;
    if (action === 'create' && isFull) throw refusal('AcmeTableFull');
    if (action === 'delete') this.#routes.delete(value);
    else this.#routes.set(value, { ...route, network: value });
  }

  #arrive(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.outage !== undefined) throw this.outage;
  }

  #tell(id: string): void {
    for (const onChange of this.#followers) onChange([id]);
  }
}

function refusal(code: string): Error {
  return Object.assign(new Error(`409 from Acme: ${code}`), { code });
}

function valueOf(network: string): string {
  const parsed = parseCidr(network);
  if (parsed.kind === 'invalid') throw refusal('AcmeNoNetwork');
  return formatCidr(parsed.cidr);
}
