/**
 * Starts all lists that the nodes will need at the same time, so that a look-up takes about as long as its slowest
 * list. The look-up then reads the lists again for each node, from memory.
 */
import type { NodeRef } from '@tandem/provider/plug';
import { isUnmanaged, mayHave, scopeOfName } from './find-machines.ts';
import { type FleetView, networkKeyOf } from './fleet.ts';
import type { ScaleSetScope } from './machine-api.ts';
import { machineRefOf } from './provider-id.ts';
import { type Scope, scopeKeyOf } from './resource-id.ts';

/** Resolves when all lists have ended, failed ones included. Rejects only if the look-up was aborted. */
export async function readAhead(
  nodes: readonly NodeRef[],
  options: { readonly view: FleetView; readonly scope: Scope },
): Promise<void> {
  const { view } = options;
  const lists = new Map<string, Promise<unknown>>();
  const names = new Map<string, { readonly scope: Scope; readonly names: string[] }>();
  for (const node of nodes) {
    if (isUnmanaged(node)) continue;
    const ref = machineRefOf(node.providerID);
    if (ref?.scaleSet !== undefined) {
      const place = { ...ref.scope, scaleSet: ref.scaleSet };
      const key = networkKeyOf(place);
      if (!lists.has(key)) lists.set(key, readScaleSet(view, place));
    } else if (ref !== undefined) {
      const key = scopeKeyOf(ref.scope);
      if (!lists.has(key)) lists.set(key, view.virtualMachines(ref.scope));
    } else if (node.providerID === '') {
      const scope = scopeOfName(node, options.scope);
      const known = names.get(scopeKeyOf(scope)) ?? { scope, names: [] };
      known.names.push(node.name.toLowerCase());
      names.set(scopeKeyOf(scope), known);
    }
  }
  const byName = [...names.values()].map((group) => readGroup(view, group));
  await Promise.all([...lists.values(), ...byName]);
}

async function readGroup(
  view: FleetView,
  { scope, names }: { readonly scope: Scope; readonly names: readonly string[] },
): Promise<void> {
  const [scaleSets] = await Promise.all([view.scaleSets(scope), view.virtualMachines(scope)]);
  if (scaleSets.kind === 'failed') return;
  const candidates = scaleSets.value.filter((one) => names.some((name) => mayHave(one, name)));
  await Promise.all(candidates.map(({ name }) => readScaleSet(view, { ...scope, scaleSet: name })));
}

async function readScaleSet(view: FleetView, place: ScaleSetScope): Promise<void> {
  const instances = await view.instances(place);
  const hasMachines = instances.kind === 'read' && (instances.value?.byKey.size ?? 0) > 0;
  if (hasMachines) await view.interfaces(place);
}
