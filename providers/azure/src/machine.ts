/**
 * The part of a machine that this provider uses, read from either of the two types that Azure lists: virtual machines
 * (standalone, in availability sets and in Flexible scale sets) and instances of Uniform scale sets. Everything else is
 * dropped at once, because the provider keeps all machines in memory.
 */
import type { VirtualMachine, VirtualMachineScaleSetVM } from '@azure/arm-compute';
import { type MachineRef, refOfId } from './provider-id.ts';
import { idKeyOf } from './resource-id.ts';
import { type MachineStatus, powerOf } from './state.ts';

export interface Machine {
  /** The resource id as Azure spells it. */
  readonly id: string;
  readonly ref: MachineRef;
  /** The possible names of its node, in lower case, the host name first. */
  readonly names: readonly [string, ...string[]];
  /** Whether it is an instance of a scale set, Uniform or Flexible. */
  readonly isInScaleSet: boolean;
  /** The id of its Flexible scale set. */
  readonly flexibleSetId: string | undefined;
  readonly type: string | undefined;
  /** The region in lower case. */
  readonly region: string | undefined;
  readonly zone: string | undefined;
  readonly faultDomain: number | undefined;
  readonly status: MachineStatus;
  /**
   * The key of the primary interface, which has the node's addresses; undefined if no interface is marked as primary.
   */
  readonly interfaceKey: string | undefined;
}

/** Returns undefined if the machine has no readable id. */
export function machineOfVM(vm: VirtualMachine): Machine | undefined {
  const flexibleSetId = vm.virtualMachineScaleSet?.id;
  const isInScaleSet = flexibleSetId !== undefined;
  const computerName = vm.osProfile?.computerName;
  // Upstream's manager finds a standalone machine by its resource name, and a machine of a Flexible scale set by its
  // host name.
  const names = isInScaleSet ? [computerName ?? vm.name] : [computerName, vm.name];
  const faultDomain = vm.instanceView?.platformFaultDomain ?? vm.platformFaultDomain;
  const type = vm.hardwareProfile?.vmSize;
  return machineOf(vm, { names, isInScaleSet, flexibleSetId, faultDomain, type });
}

export function machineOfScaleSetVM(vm: VirtualMachineScaleSetVM): Machine | undefined {
  return machineOf(vm, {
    names: [vm.osProfile?.computerName],
    isInScaleSet: true,
    flexibleSetId: undefined,
    faultDomain: vm.instanceView?.platformFaultDomain,
    type: vm.sku?.name ?? vm.hardwareProfile?.vmSize,
  });
}

/** Returns the machine with the power state and the fault domain from a list of statuses. */
export function withStatus(machine: Machine, listed: Machine): Machine {
  return {
    ...withPower(machine, listed.status.power),
    faultDomain: listed.faultDomain ?? machine.faultDomain,
  };
}

export function withPower(machine: Machine, power: string | undefined): Machine {
  return { ...machine, status: { ...machine.status, power } };
}

function machineOf(
  vm: VirtualMachine | VirtualMachineScaleSetVM,
  own: {
    readonly names: readonly (string | undefined)[];
    readonly isInScaleSet: boolean;
    readonly flexibleSetId: string | undefined;
    readonly type: string | undefined;
    readonly faultDomain: number | undefined;
  },
): Machine | undefined {
  const ref = vm.id === undefined ? undefined : refOfId(vm.id);
  if (vm.id === undefined || ref === undefined) return undefined;
  const named = own.names.flatMap((name) => name?.toLowerCase() || []);
  const [first = ref.name, ...others] = new Set(named);
  return {
    id: vm.id,
    ref,
    names: [first, ...others],
    isInScaleSet: own.isInScaleSet,
    flexibleSetId: own.flexibleSetId,
    type: own.type,
    region: vm.location?.toLowerCase(),
    zone: vm.zones?.[0],
    faultDomain: own.faultDomain,
    status: { provisioning: vm.provisioningState, power: powerOf(vm.instanceView?.statuses) },
    interfaceKey: primaryInterfaceOf(vm),
  };
}

/** Returns the key of the only interface, or of the interface that is marked as primary. */
function primaryInterfaceOf({
  networkProfile,
}: VirtualMachine | VirtualMachineScaleSetVM): string | undefined {
  const references = networkProfile?.networkInterfaces ?? [];
  const chosen =
    references.length === 1 ? references[0] : references.find(({ primary }) => primary === true);
  return chosen?.id === undefined ? undefined : idKeyOf(chosen.id);
}
