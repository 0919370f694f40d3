/**
 * Parses the ids of Azure's resources, such as
 * `/subscriptions/S/resourceGroups/G/providers/Microsoft.Network/networkInterfaces/N`. Ids are case-insensitive and
 * Azure changes their case, so the provider compares lower-case keys and shows ids as Azure spelt them.
 */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** The path below the provider, as Azure spelt it: `['virtualMachineScaleSets', 'V', 'virtualMachines', '3']`. */
  readonly path: readonly string[];
  /** The resource provider in lower case, such as `microsoft.compute`. */
  readonly provider: string;
}

/** The place of a list: one resource group of one subscription. */
export type Scope = Pick<ResourceId, 'subscriptionId' | 'resourceGroup'>;

const idPattern =
  /^\/subscriptions\/(?<subscription>[^/]+)\/resourceGroups\/(?<group>[^/]+)\/providers\/(?<provider>[^/]+)\/(?<path>[^/]+\/[^/]+(?:\/[^/]+\/[^/]+)*)$/i;

export function parseResourceId(text: string): ResourceId | undefined {
  if (text.length > lengthMax) return undefined;
  const { subscription, group, provider, path } = idPattern.exec(text)?.groups ?? {};
  if (!subscription || !group || !provider || !path) return undefined;
  return {
    subscriptionId: subscription,
    resourceGroup: group,
    provider: provider.toLowerCase(),
    path: path.split('/'),
  };
}

/** The maximum length of an id. Azure limits the length of names, so longer texts are not ids. */
const lengthMax = 1_024;

/** Returns one key for all spellings of an id. */
export function idKeyOf(id: string): string {
  return id.toLowerCase();
}

/** Returns one key for all spellings of a resource group. */
export function scopeKeyOf({ subscriptionId, resourceGroup }: Scope): string {
  return `${subscriptionId}/${resourceGroup}`.toLowerCase();
}
