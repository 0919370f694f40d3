/** Changes of the fake's state, each a new state: what people and other programs do to a subscription. */
import {
  groupId,
  keyOf,
  machineId,
  type Named,
  type ResourceGroupId,
  scaleSetId,
  tableId,
} from './ids.ts';
import type {
  ArmState,
  FakeInstance,
  FakeMachine,
  FakeScaleSet,
  FakeTable,
  StoredTable,
} from './state.ts';

export const subscription = '11111111-1111-4111-8111-111111111111';

export function emptyState(): ArmState {
  const nothing: ArmState = {
    subscriptions: new Set([subscription]),
    resourceGroups: new Set(),
    machines: new Map(),
    scaleSets: new Map(),
    tables: new Map(),
    revision: 0,
  };
  return withResourceGroup(nothing, { subscription, resourceGroup: 'blue' });
}

function withResourceGroup(state: ArmState, place: ResourceGroupId): ArmState {
  return {
    ...state,
    subscriptions: new Set(state.subscriptions).add(keyOf(place.subscription)),
    resourceGroups: new Set(state.resourceGroups).add(keyOf(groupId(place))),
  };
}

export function withoutResourceGroup(state: ArmState, place: ResourceGroupId): ArmState {
  const resourceGroups = new Set(state.resourceGroups);
  resourceGroups.delete(keyOf(groupId(place)));
  return { ...state, resourceGroups };
}

export function withMachine(state: ArmState, machine: FakeMachine): ArmState {
  let next = withResourceGroup(state, machine);
  for (const { resourceGroup, configurations } of machine.interfaces) {
    const elsewhere = [
      resourceGroup,
      ...configurations.map((each) => each.publicAddress?.resourceGroup),
    ];
    for (const group of elsewhere) {
      if (group !== undefined) next = withResourceGroup(next, { ...machine, resourceGroup: group });
    }
  }
  return { ...next, machines: new Map(state.machines).set(keyOf(machineId(machine)), machine) };
}

export function withoutMachine(state: ArmState, machine: Named): ArmState {
  const machines = new Map(state.machines);
  machines.delete(keyOf(machineId(machine)));
  return { ...state, machines };
}

export function withScaleSet(state: ArmState, scaleSet: FakeScaleSet): ArmState {
  const scaleSets = new Map(state.scaleSets).set(keyOf(scaleSetId(scaleSet)), scaleSet);
  return { ...withResourceGroup(state, scaleSet), scaleSets };
}

export function withoutScaleSet(state: ArmState, scaleSet: Named): ArmState {
  const scaleSets = new Map(state.scaleSets);
  scaleSets.delete(keyOf(scaleSetId(scaleSet)));
  return { ...state, scaleSets };
}

/** Replaces the instance that has the same number. */
export function withInstance(state: ArmState, scaleSet: Named, instance: FakeInstance): ArmState {
  const { stored, others } = splitScaleSet(state, scaleSet, instance.instanceId);
  return withScaleSet(state, { ...stored, instances: [...others, instance] });
}

export function withoutInstance(state: ArmState, scaleSet: Named, instanceId: string): ArmState {
  const { stored, others } = splitScaleSet(state, scaleSet, instanceId);
  return withScaleSet(state, { ...stored, instances: others });
}

function splitScaleSet(
  state: ArmState,
  scaleSet: Named,
  instanceId: string,
): { readonly stored: FakeScaleSet; readonly others: readonly FakeInstance[] } {
  const stored = state.scaleSets.get(keyOf(scaleSetId(scaleSet)));
  if (stored === undefined) throw new Error(`There is no scale set ${scaleSet.name}`);
  return { stored, others: stored.instances.filter((each) => each.instanceId !== instanceId) };
}

/** Whatever is changed, the table gets a new ETag. */
export function withTable(state: ArmState, table: FakeTable): ArmState {
  const revision = state.revision + 1;
  const etag = `W/"00000000-0000-4000-8000-${revision.toString(16).padStart(12, '0')}"`;
  const stored: StoredTable = { ...table, etag };
  const tables = new Map(state.tables).set(keyOf(tableId(table)), stored);
  return { ...withResourceGroup(state, table), tables, revision };
}
