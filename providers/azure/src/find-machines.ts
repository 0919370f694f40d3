/**
 * Finds the machine that each node runs on. A node with a providerID names its machine exactly. A node without one is
 * found by its name, among the virtual machines of its resource group and among the instances of the scale sets whose
 * host name prefix fits.
 */
import { enumerate, quote } from '@tandem/core/node-address';
import type { NodeRef } from '@tandem/provider/plug';
import { AzureError } from './failure.ts';
import type { FleetView, Machines } from './fleet.ts';
import { valueOf } from './list-cache.ts';
import type { ScaleSet } from './machine-api.ts';
import type { Machine } from './machine.ts';
import { type MachineRef, machineRefOf } from './provider-id.ts';
import type { Scope } from './resource-id.ts';
import { emptyList, missingInstances, type SecondQuestions } from './second-questions.ts';
import { isDeleting } from './state.ts';

/** Nodes with this label run on machines of the resource group that it names. */
const groupLabel = 'kubernetes.azure.com/resource-group';
/** The provider does not manage nodes that have this label with the value `false`. */
const managedLabel = 'kubernetes.azure.com/managed';

export type Match =
  | { readonly kind: 'found'; readonly machine: Machine; readonly asOfMs: number }
  | { readonly kind: 'absent'; readonly asOfMs: number }
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'unknown'; readonly err: AzureError };

export interface FindOptions {
  readonly view: FleetView;
  readonly second: SecondQuestions;
  /** The scope of nodes whose labels and providerID name no other. */
  readonly scope: Scope;
}

export async function findMachine(node: NodeRef, options: FindOptions): Promise<Match> {
  if (isUnmanaged(node)) return { kind: 'notOurs' };
  try {
    if (node.providerID === '') return await findByName(node, options);
    const ref = machineRefOf(node.providerID);
    return ref === undefined ? { kind: 'notOurs' } : await findByRef(ref, options);
  } catch (err) {
    if (err instanceof AzureError) return { kind: 'unknown', err };
    throw err;
  }
}

export function isUnmanaged({ labels }: NodeRef): boolean {
  return labels[managedLabel] === 'false';
}

async function findByRef(ref: MachineRef, options: FindOptions): Promise<Match> {
  const { scope, scaleSet } = ref;
  const { view } = options;
  const list = await (scaleSet === undefined
    ? view.virtualMachines(scope)
    : view.instances({ ...scope, scaleSet }));
  const { value: machines, asOfMs } = valueOf(list);
  const machine = machines?.byKey.get(ref.key);
  if (machine !== undefined) return existing(machine, asOfMs);
  const hasOthers = machines !== undefined && machines.byKey.size > 0;
  if (hasOthers) return { kind: 'absent', asOfMs };
  return { kind: 'absent', ...(await options.second.confirm(ref, { view, machines, asOfMs })) };
}

async function findByName(node: NodeRef, options: FindOptions): Promise<Match> {
  const { view } = options;
  const scope = scopeOfName(node, options.scope);
  const name = node.name.toLowerCase();
  const [machines, scaleSets] = await Promise.all([
    view.virtualMachines(scope).then(valueOf),
    view.scaleSets(scope).then(valueOf),
  ]);
  if (
    machines.value.byKey.size === 0 &&
    (scaleSets.value.length === 0 || view.hadMachines(scope))
  ) {
    throw emptyList(`no virtual machine in resource group ${scope.resourceGroup}`);
  }
  const candidates = scaleSets.value.filter((one) => mayHave(one, name));
  const lists = await Promise.all(
    candidates.map(async (one) => {
      const list = valueOf(await view.instances({ ...scope, scaleSet: one.name }));
      requireInstances(one, list.value);
      return list;
    }),
  );
  const all = [machines, ...lists];
  const asOfMs = Math.min(scaleSets.asOfMs, ...all.map((list) => list.asOfMs));
  const found = all
    .flatMap(({ value }) => value?.byName.get(name) ?? [])
    .filter(({ status }) => !isDeleting(status));
  const [machine, ...others] = found;
  if (machine === undefined && scaleSets.value.length === 0 && view.hadScaleSets(scope)) {
    throw emptyList(`no scale set in resource group ${scope.resourceGroup}`);
  }
  if (machine === undefined) return { kind: 'absent', asOfMs };
  if (others.length === 0) return { kind: 'found', machine, asOfMs };
  const ids = found.map(({ id }) => id).toSorted();
  const message = `Several machines have the name ${quote(node.name)}: ${enumerate(ids, 300)}`;
  throw new AzureError('AzureInstanceAmbiguous', message);
}

function existing(machine: Machine, asOfMs: number): Match {
  return isDeleting(machine.status)
    ? { kind: 'absent', asOfMs }
    : { kind: 'found', machine, asOfMs };
}

export function scopeOfName({ labels }: NodeRef, scope: Scope): Scope {
  const group = labels[groupLabel];
  return group ? { ...scope, resourceGroup: group } : scope;
}

/**
 * Returns whether the scale set may have an instance with this host name. Host names of instances begin with the
 * prefix, which cannot change after the scale set was created.
 */
export function mayHave({ isUniform, prefix }: ScaleSet, name: string): boolean {
  return isUniform && name.startsWith(prefix);
}

/** Throws if Azure listed no instances of a scale set whose capacity is not 0, or did not find a listed scale set. */
function requireInstances({ name, capacity }: ScaleSet, machines: Machines | undefined): void {
  if (machines === undefined) throw missingInstances(name);
  if (machines.byKey.size > 0 || capacity === 0) return;
  throw emptyList(`no instance of scale set ${name}, whose capacity is ${capacity}`);
}
