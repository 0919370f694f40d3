/**
 * Parses and writes providerIDs: `azure://` and the id of a virtual machine or of a scale set's instance. The id names
 * an instance by its number or as `<scale set>_<number>`. Ids are compared without regard to case. A providerID that
 * the manager writes has the resource group in lower case and everything else as Azure spells it, like upstream's: the
 * autoscaler and Karpenter compare it as text.
 */
import type { InstanceKey } from '@tandem/provider/plug';
import { parseResourceId, type Scope } from './resource-id.ts';

export interface MachineRef {
  readonly key: InstanceKey;
  readonly scope: Scope;
  /** The Uniform scale set of the instance; undefined for virtual machines, including those of Flexible scale sets. */
  readonly scaleSet: string | undefined;
  /** The name of the virtual machine, or the number of the instance. */
  readonly name: string;
}

const scheme = 'azure://';

/** Returns undefined if the providerID is not one of Azure's. */
export function instanceKeyOf(providerID: string): InstanceKey | undefined {
  return machineRefOf(providerID)?.key;
}

export function machineRefOf(providerID: string): MachineRef | undefined {
  return providerID.startsWith(scheme) ? refOfId(providerID.slice(scheme.length)) : undefined;
}

export function refOfId(id: string): MachineRef | undefined {
  const parsed = parseResourceId(id);
  if (parsed?.provider !== 'microsoft.compute') return undefined;
  const { subscriptionId, resourceGroup } = parsed;
  const scope = { subscriptionId, resourceGroup };
  const [kind = '', first = '', childKind, child = '', ...rest] = parsed.path;
  if (rest.length > 0) return undefined;
  switch (`${kind}/${childKind ?? ''}`.toLowerCase()) {
    case 'virtualmachines/':
      return refOf({ scope, scaleSet: undefined, name: first });
    case 'virtualmachinescalesets/virtualmachines':
      return refOf({ scope, scaleSet: first, name: numberOf(first, child) });
    default:
      return undefined;
  }
}

/** Returns the providerID of a resource id, spelt as upstream spells it. */
export function providerIDOf(id: string): string {
  const text = id.replace(
    /(\/resourceGroups\/)([^/]+)/i,
    (_, before: string, group: string) => `${before}${group.toLowerCase()}`,
  );
  return `${scheme}${text}`;
}

function refOf(parts: Omit<MachineRef, 'key'>): MachineRef {
  const { scope, scaleSet, name } = parts;
  const path = scaleSet === undefined ? [name] : [scaleSet, name];
  const key = [scope.subscriptionId, scope.resourceGroup, ...path].join('/').toLowerCase();
  return { ...parts, key };
}

/**
 * Returns the number of an instance. Upstream also accepts the instance's name, which begins with its scale set's name.
 */
function numberOf(scaleSet: string, instance: string): string {
  const prefix = `${scaleSet}_`.toLowerCase();
  return instance.toLowerCase().startsWith(prefix) ? instance.slice(prefix.length) : instance;
}
