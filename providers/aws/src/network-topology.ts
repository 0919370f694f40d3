/**
 * Reads where an instance is in the data centre's network, for labels that let schedulers place jobs close together. Only
 * large instance types have a topology. Tandem asks while the node lacks the label, and never delays a node by more than
 * two seconds for it: a late answer counts from the next look-up on. It retries a failed call after a minute, and asks
 * again after a day about an instance that has no topology.
 */
import type { NodeRef } from '@tandem/provider/plug';
import { type Clock, type Logger, withDeadline } from '@tandem/runtime';
import type { InstanceApi } from './instance-api.ts';
import type { Instance } from './sdk/actions.ts';

const labelPrefix = 'topology.k8s.aws/network-node-layer-';
const askAgainMs = 60_000;
const askAgainForNoneMs = 24 * 3_600_000;

/** EC2 allows one call a second, and a look-up of large machines makes at most two. */
const waitMsMax = 2_000;

/** EC2 accepts at most this many ids in one call. */
const idsMax = 100;

/** More large machines than a cluster has. Above this, the maps are emptied, which drops instances that are gone. */
const rememberedMax = 10_000;

export interface FoundInstance {
  readonly instance: Instance;
  readonly node: NodeRef;
}

export class NetworkTopology {
  readonly #api: InstanceApi;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #types: RegExp;
  /** Aborts when the provider closes. */
  readonly #closed: AbortSignal;
  /** The earliest time to ask about an instance again, by its id. */
  readonly #notBeforeMs = new Map<string, number>();
  readonly #layers = new Map<string, readonly string[]>();
  /** Whether the last call failed, which is logged once. */
  #hasFailed = false;

  constructor(options: {
    readonly api: InstanceApi;
    readonly clock: Clock;
    readonly logger: Logger;
    /** Matches instance types with a topology. */
    readonly types: RegExp;
    readonly closed: AbortSignal;
  }) {
    this.#api = options.api;
    this.#clock = options.clock;
    this.#logger = options.logger;
    this.#types = options.types;
    this.#closed = options.closed;
  }

  labelsOf({ instance, node }: FoundInstance): Record<string, string> {
    const known = Object.entries(node.labels).filter(([key]) => key.startsWith(labelPrefix));
    if (known.length > 0) return Object.fromEntries(known);
    const layers = this.#layers.get(instance.InstanceId ?? '') ?? [];
    return Object.fromEntries(layers.map((layer, index) => [`${labelPrefix}${index + 1}`, layer]));
  }

  /** Resolves when the layers of these instances have been read, or are not worth waiting for. */
  async learn(found: readonly FoundInstance[], signal: AbortSignal): Promise<void> {
    const ids = found.filter((one) => this.#isAskedFor(one)).map(({ instance }) => idOf(instance));
    if (ids.length === 0) return;
    const clock = this.#clock;
    try {
      await withDeadline({ clock, limitMs: waitMsMax, signal }, () => this.#askAll(ids));
    } catch {
      // Only the wait has ended. The calls go on for the next look-up.
      signal.throwIfAborted();
    }
  }

  #isAskedFor({ instance, node }: FoundInstance): boolean {
    const hasLabel = `${labelPrefix}1` in node.labels;
    if (hasLabel || !this.#types.test(instance.InstanceType ?? '')) return false;
    return this.#clock.monotonic() >= (this.#notBeforeMs.get(idOf(instance)) ?? 0);
  }

  async #askAll(ids: readonly string[]): Promise<void> {
    if (this.#notBeforeMs.size > rememberedMax) this.#forgetAll();
    const nowMs = this.#clock.monotonic();
    for (const id of ids) this.#notBeforeMs.set(id, nowMs + askAgainMs);
    for (let from = 0; from < ids.length; from += idsMax) {
      await this.#ask(ids.slice(from, from + idsMax));
    }
  }

  async #ask(ids: readonly string[]): Promise<void> {
    const nowMs = this.#clock.monotonic();
    try {
      const layers = await this.#api.networkLayers(ids, this.#closed);
      for (const id of ids) this.#notBeforeMs.set(id, nowMs + askAgainForNoneMs);
      for (const [id, list] of layers) this.#layers.set(id, list);
      this.#hasFailed = false;
    } catch (err) {
      if (this.#closed.aborted || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#logger.warn({ err }, 'Left out network topology labels that EC2 did not give');
    }
  }

  #forgetAll(): void {
    this.#notBeforeMs.clear();
    this.#layers.clear();
  }
}

function idOf({ InstanceId = '' }: Instance): string {
  return InstanceId;
}
