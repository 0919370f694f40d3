/**
 * The cluster's word on authentication, followed while the manager runs: an authority that rotates is
 * trusted, and its predecessor no longer, without a restart. While the API server is away the last
 * word holds; a map that was deleted leaves nobody to trust.
 */
import type { KubeClient } from '@tandem/kube/client';
import { Informer, type InformerMetrics } from '@tandem/kube/informer';
import type { Clock, Logger, Random } from '@tandem/runtime';
import type { Trust } from './authenticator.ts';
import {
  authenticationConfigMap,
  type ConfigMapFacts,
  configMapReader,
  readConfigMap,
  trustIn,
} from './cluster-authentication.ts';
import { lookupFailed, reasonOf } from './lookup-failure.ts';

export interface FollowedConfigMapOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly informerMetrics: InformerMetrics;
  readonly toleratesFailure: boolean;
}

/** The first look-up holds up the start, so it does not take long. */
const firstLookupMs = 10_000;

const nothing: Trust = { clients: undefined, proxies: undefined };

export class FollowedConfigMap {
  readonly #options: FollowedConfigMapOptions;
  readonly #stopping = new AbortController();
  #trust: Trust = nothing;
  #running: Promise<void> = Promise.resolve();

  constructor(options: FollowedConfigMapOptions) {
    this.#options = options;
  }

  get trust(): Trust {
    return this.#trust;
  }

  /** Rejects with a `ServingError` when the map cannot be had and that is not tolerated. */
  async start(): Promise<void> {
    try {
      this.#took(await this.#lookUp());
    } catch (err) {
      this.#stopping.signal.throwIfAborted();
      if (!this.#options.toleratesFailure) throw lookupFailed(err);
      const problem = reasonOf(err);
      this.#options.logger.warn({ problem }, 'Went on without the authorities of the cluster');
    }
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #lookUp(): Promise<ConfigMapFacts> {
    const { body } = await this.#options.client.call({
      verb: 'get',
      resource: authenticationConfigMap,
      limitMs: firstLookupMs,
      signal: this.#stopping.signal,
    });
    const map: unknown = JSON.parse(new TextDecoder().decode(body));
    return readConfigMap(map);
  }

  async #follow(): Promise<void> {
    const { informerMetrics: metrics, ...parts } = this.#options;
    const { name, ...collection } = authenticationConfigMap;
    const informer = new Informer({
      ...parts,
      metrics,
      resource: collection,
      selectors: { fieldSelector: `metadata.name=${name}` },
      reader: configMapReader,
    });
    informer.subscribe((change) => {
      const object = change.kind === 'updated' ? change.after : change.object;
      if (object.name !== name) return;
      if (change.kind === 'deleted') this.#lost();
      else if (this.#took(object) && change.kind === 'updated') {
        parts.logger.info({}, 'Read the authorities of the cluster anew');
      }
    });
    await informer.run(this.#stopping.signal);
  }

  /** Whether it can be used; if not, the log has been told. */
  #took({ data, resourceVersion }: ConfigMapFacts): boolean {
    const reading = trustIn(data);
    if (reading.kind === 'trust') {
      this.#trust = reading.trust;
      return true;
    }
    const { problem } = reading;
    this.#options.logger.warn(
      { problem, resourceVersion },
      'Kept the authorities of the cluster, the new ones are unusable',
    );
    return false;
  }

  #lost(): void {
    this.#trust = nothing;
    this.#options.logger.warn(
      {},
      'Trusted no authorities any more, the cluster has withdrawn them',
    );
  }
}
