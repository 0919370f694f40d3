/**
 * The SDK's clients, one of each kind for every subscription. Their own retries are off: they have no upper
 * bound, and the layers around the plug ask again, on their clock. Azure's lists give the SDK the address of
 * the next page; a token is sent to the Resource Manager only, whatever that address says.
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
  /** In front of the SDK's own words. */
  readonly userAgent: string | undefined;
  /** Sees every request. */
  readonly policy: PipelinePolicy;
  /** Tenants of subscriptions that are not in that of the credentials, by the subscription in lower case. */
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

  /** Azure no longer takes their tokens: the next call asks for new ones. */
  forgetTokens(): void {
    this.#credentials.clear();
    this.#network.clear();
    this.#compute.clear();
  }

  /** One for each tenant, so that the clients of all subscriptions share their tokens. */
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

/** Lets nothing out but to the Resource Manager and its regional hosts. */
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
