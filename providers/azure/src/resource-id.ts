/**
 * The ids of Azure's resources: `/subscriptions/S/resourceGroups/G/providers/Microsoft.Network/networkInterfaces/N`.
 * Azure compares them without regard to case and spells them in changing case, so that everything here is
 * compared by a lower-case key and shown as Azure spelt it.
 */
export interface ResourceId {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
  /** Below the provider, as Azure spelt them: `['virtualMachineScaleSets', 'V', 'virtualMachines', '3']`. */
  readonly path: readonly string[];
  /** `microsoft.compute`. */
  readonly provider: string;
}

/** Where a list is read: one resource group of one subscription. */
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

/** Longer ids than this are no resource: Azure's names are bounded. */
const lengthMax = 1_024;

/** One text for all spellings of an id. */
export function idKeyOf(id: string): string {
  return id.toLowerCase();
}

/** One text for all spellings of a resource group. */
export function scopeKeyOf({ subscriptionId, resourceGroup }: Scope): string {
  return `${subscriptionId}/${resourceGroup}`.toLowerCase();
}
