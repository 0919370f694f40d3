/**
 * Makes the SDK's clients, one of each kind for every subscription. The SDK's retries are off: they have no upper
 * bound, and the layers around the plug retry on their own clock. Azure's lists contain the URL of the next page; the
 * guard below makes sure that a token is sent only to the Resource Manager, whatever that URL is.
 */
import { ComputeManagementClient } from '@azure/arm-compute';
import { NetworkManagementClient } from '@azure/arm-network';
import type { PipelinePolicy } from '@azure/core-rest-pipeline';
import type { TokenCredential } from '@azure/identity';
import type { Agents } from '@tandem/provider/calls';
import type { CloudSource } from './cloud-source.ts';
import type { Cloud } from './config/index.ts';
import type { CurrentCredentials } from './current-credentials.ts';

export interface ClientsOptions {
  readonly cloud: CloudSource;
  readonly agents: Agents;
  readonly credentials: CurrentCredentials;
  /** A prefix for the SDK's user agent. */
  readonly userAgent: string | undefined;
  /** A policy that processes every request. */
  readonly policy: PipelinePolicy;
  /** The tenants of subscriptions that are in another tenant than the credentials, by subscription id in lower case. */
  readonly tenants: ReadonlyMap<string, string>;
}

export class Clients {
  readonly #options: ClientsOptions;
  readonly #credentials = new Map<string, TokenCredential>();
  readonly #network = new Map<string, NetworkManagementClient>();
  readonly #compute = new Map<string, ComputeManagementClient>();

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  async network(subscriptionId: string): Promise<NetworkManagementClient> {
    const cloud = await this.#options.cloud.get();
    return remember(
      this.#network,
      subscriptionId.toLowerCase(),
      () =>
        new NetworkManagementClient(
          this.#credentialOf(subscriptionId, cloud),
          subscriptionId,
          this.#settings(cloud),
        ),
    );
  }

  async compute(subscriptionId: string): Promise<ComputeManagementClient> {
    const cloud = await this.#options.cloud.get();
    return remember(
      this.#compute,
      subscriptionId.toLowerCase(),
      () =>
        new ComputeManagementClient(
          this.#credentialOf(subscriptionId, cloud),
          subscriptionId,
          this.#settings(cloud),
        ),
    );
  }

  /**
   * Discards all credentials and clients, because Azure no longer accepts their tokens. The next call requests new
   * ones.
   */
  forgetTokens(): void {
    this.#credentials.clear();
    this.#network.clear();
    this.#compute.clear();
  }

  /** Returns the credential of the subscription's tenant. Subscriptions of one tenant share it, and so its tokens. */
  #credentialOf(subscriptionId: string, cloud: Cloud): TokenCredential {
    const tenant = this.#options.tenants.get(subscriptionId.toLowerCase());
    return remember(this.#credentials, tenant ?? '', () =>
      this.#options.credentials.make(cloud, tenant),
    );
  }

  #settings(cloud: Cloud): ConstructorParameters<typeof NetworkManagementClient>[2] & object {
    const { agents, policy, userAgent } = this.#options;
    return {
      endpoint: cloud.endpoint,
      credentials: { scopes: [cloud.scope] },
      agent: agents.https,
      retryOptions: { maxRetries: 0 },
      redirectOptions: { maxRetries: 0 },
      userAgentOptions: { userAgentPrefix: ['tandem', userAgent].filter(Boolean).join(' ') },
      additionalPolicies: [
        { policy: guard(cloud.endpoint), position: 'perCall' },
        { policy, position: 'perCall' },
      ],
    };
  }
}

/** Refuses every request that does not go to the Resource Manager or its regional hosts. */
export function guard(endpoint: string): PipelinePolicy {
  const own = new URL(endpoint);
  return {
    name: 'tandemEndpointGuard',
    async sendRequest(request, next) {
      const { protocol, hostname, port } = new URL(request.url);
      const isOwn = hostname === own.hostname || hostname.endsWith(`.${own.hostname}`);
      if (protocol === 'https:' && isOwn && port === own.port) return next(request);
      throw new Error(`Azure named the address ${protocol}//${hostname}, which is not its own`);
    },
  };
}

function remember<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
