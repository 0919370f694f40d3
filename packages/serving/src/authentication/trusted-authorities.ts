/**
 * Decides which authorities to trust for certificates: those of the files that flags name, otherwise those that the cluster
 * publishes, otherwise none. Clients and proxies are decided separately and never share a pool.
 */
import type { Logger } from '@tandem/runtime';
import type { ServingFiles } from '../files.ts';
import type { AuthenticationSettings } from '../serving-settings.ts';
import type { Trust } from './authenticator.ts';
import { FollowedConfigMap, type FollowedConfigMapOptions } from './followed-config-map.ts';
import { FollowedPool } from './followed-pool.ts';

interface TrustedAuthoritiesOptions {
  readonly settings: AuthenticationSettings;
  readonly files: ServingFiles;
  readonly logger: Logger;
  /** Undefined if there is no API server from which to look them up. */
  readonly lookup: Omit<FollowedConfigMapOptions, 'toleratesFailure'> | undefined;
}

export class TrustedAuthorities {
  readonly #settings: AuthenticationSettings;
  readonly #clientFile: FollowedPool | undefined;
  readonly #proxyFile: FollowedPool | undefined;
  readonly #configMap: FollowedConfigMap | undefined;

  constructor({ settings, files, logger, lookup }: TrustedAuthoritiesOptions) {
    const fromFile = (path: string | undefined, flag: string): FollowedPool | undefined =>
      path === undefined ? undefined : new FollowedPool({ path, flag, files, logger });
    this.#settings = settings;
    this.#clientFile = fromFile(settings.clientCaFile, '--client-ca-file');
    this.#proxyFile = fromFile(
      settings.requestHeader.clientCaFile,
      '--requestheader-client-ca-file',
    );
    const isSettled = this.#clientFile !== undefined && this.#proxyFile !== undefined;
    const isLookedUp = lookup !== undefined && !settings.skipLookup && !isSettled;
    this.#configMap = isLookedUp
      ? new FollowedConfigMap({ ...lookup, toleratesFailure: settings.tolerateLookupFailure })
      : undefined;
  }

  /** Rejects with a `ServingError`. */
  async start(): Promise<void> {
    await this.#clientFile?.load();
    await this.#proxyFile?.load();
    await this.#configMap?.start();
  }

  /** Reads the files again. Never rejects. */
  async refresh(): Promise<void> {
    await this.#clientFile?.refresh();
    await this.#proxyFile?.refresh();
  }

  async stop(): Promise<void> {
    await this.#configMap?.stop();
  }

  get trust(): Trust {
    const ofCluster = this.#configMap?.trust;
    const { requestHeader } = this.#settings;
    return {
      clients: this.#clientFile?.pool ?? ofCluster?.clients,
      proxies:
        this.#proxyFile === undefined
          ? ofCluster?.proxies
          : { ...requestHeader, pool: this.#proxyFile.pool },
    };
  }
}
