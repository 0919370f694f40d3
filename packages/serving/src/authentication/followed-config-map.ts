/**
 * Follows the cluster's ConfigMap on authentication while the manager runs: after a rotation, the new authority is trusted
 * and the old one is not, without a restart. While the API server is away, the last known map applies. If the map is
 * deleted, no authority is trusted.
 */
import type { KubeClient } from '@tandem/kube/client';
import { type CredentialsOrigin, refusedMsMax } from '@tandem/kube/credentials';
import { Informer } from '@tandem/kube/informer';
import { type Clock, type Logger, type Metrics, type Random, sleep } from '@tandem/runtime';
import type { Trust } from './authenticator.ts';
import {
  authenticationConfigMap,
  type ConfigMapFacts,
  configMapReader,
  readConfigMap,
  trustIn,
} from './cluster-authentication.ts';
import { isRefusedIdentity, lookupFailed, reasonOf } from './lookup-failure.ts';

export interface FollowedConfigMapOptions {
  readonly client: KubeClient;
  /** Where the credentials of the client come from. */
  readonly origin: CredentialsOrigin;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly toleratesFailure: boolean;
}

/** The limit of the first look-up, which delays the start. */
const firstLookupMs = 10_000;

/** The wait after a look-up whose credentials were refused. Each look-up reads the credentials again. */
const refusedRetryMs = 2_000;

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

  /** Rejects with a `ServingError` if the ConfigMap cannot be read and that is not tolerated. */
  async start(): Promise<void> {
    try {
      this.#took(await this.#lookUp());
    } catch (err) {
      this.#stopping.signal.throwIfAborted();
      if (!this.#options.toleratesFailure) throw lookupFailed(err, this.#options.origin);
      const problem = reasonOf(err);
      this.#options.logger.warn({ problem }, 'Started without the CA certificates of the cluster');
    }
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** Retries while the credentials are refused, because a rotation may not be finished. */
  async #lookUp(): Promise<ConfigMapFacts> {
    const { clock, toleratesFailure } = this.#options;
    const endMs = clock.monotonic() + (toleratesFailure ? 0 : refusedMsMax);
    for (;;) {
      try {
        return await this.#ask();
      } catch (err) {
        const mayPass = isRefusedIdentity(err) && clock.monotonic() + refusedRetryMs <= endMs;
        if (!mayPass) throw err;
        await sleep(clock, refusedRetryMs, this.#stopping.signal);
      }
    }
  }

  async #ask(): Promise<ConfigMapFacts> {
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
    const { name, ...collection } = authenticationConfigMap;
    const informer = new Informer({
      ...this.#options,
      resource: collection,
      selectors: { fieldSelector: `metadata.name=${name}` },
      reader: configMapReader,
    });
    informer.subscribe((change) => {
      const object = change.kind === 'updated' ? change.after : change.object;
      if (object.name !== name) return;
      // The first list repeats the result of the look-up.
      const isNews = change.kind === 'updated' || this.#trust === nothing;
      if (change.kind === 'deleted') this.#lost();
      else if (this.#took(object) && isNews) {
        this.#options.logger.info({}, 'Reloaded the CA certificates of the cluster');
      }
    });
    await informer.run(this.#stopping.signal);
  }

  /** Uses the map and returns whether that was possible. If it was not, it logs the problem. */
  #took({ data, resourceVersion }: ConfigMapFacts): boolean {
    const reading = trustIn(data);
    if (reading.kind === 'trust') {
      this.#trust = reading.trust;
      return true;
    }
    const { problem } = reading;
    this.#options.logger.warn(
      { problem, resourceVersion },
      'Kept the previous CA certificates of the cluster, the new ones are unusable',
    );
    return false;
  }

  #lost(): void {
    this.#trust = nothing;
    this.#options.logger.warn(
      {},
      'Dropped the CA certificates of the cluster, their ConfigMap was deleted',
    );
  }
}
