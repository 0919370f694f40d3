/**
 * Confirms with a second request that a machine is gone, because neither an empty list nor a missing scale set proves
 * it (P3). For an instance of a scale set, the second request lists the scale sets with their capacities. For a virtual
 * machine, it reads the machine itself. A look-up confirms only a few virtual machines. The others stay unknown until a
 * later look-up, after the first nodes were deleted.
 */
import { isResourceMissing } from './call-failure.ts';
import { AzureError } from './failure.ts';
import type { FleetView, Machines } from './fleet.ts';
import { valueOf } from './list-cache.ts';
import type { MachineApi, ScaleSet } from './machine-api.ts';
import type { MachineRef } from './provider-id.ts';

/** The number of virtual machines that one look-up reads one by one. */
const machinesMax = 5;

export interface ListWithoutMachines {
  readonly view: FleetView;
  /** The empty list; undefined if Azure did not find the scale set. */
  readonly machines: Machines | undefined;
  readonly asOfMs: number;
}

export class SecondQuestions {
  readonly #api: MachineApi;
  readonly #signal: AbortSignal;
  #asked = 0;

  constructor(api: MachineApi, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  /** Resolves with the age of the oldest request if the second one confirms the first, and rejects otherwise. */
  async confirm(
    ref: MachineRef,
    { view, machines, asOfMs }: ListWithoutMachines,
  ): Promise<{ readonly asOfMs: number }> {
    if (ref.scaleSet === undefined) {
      await this.#confirmMachine(ref);
      return { asOfMs };
    }
    const scaleSets = valueOf(await view.scaleSets(ref.scope));
    requireGone(ref.scaleSet, scaleSets.value, machines);
    return { asOfMs: Math.min(asOfMs, scaleSets.asOfMs) };
  }

  async #confirmMachine({ scope, name }: MachineRef): Promise<void> {
    const what = `no virtual machine in resource group ${scope.resourceGroup}`;
    if (++this.#asked > machinesMax) throw emptyList(what);
    try {
      await this.#api.virtualMachine(scope, name, this.#signal);
    } catch (err) {
      if (err instanceof AzureError && isResourceMissing(err)) return;
      throw err;
    }
    throw emptyList(`${what}, although ${name} is there`);
  }
}

/** Throws unless the list of scale sets agrees with `machines`, which is undefined if the scale set was not found. */
function requireGone(
  name: string,
  scaleSets: readonly ScaleSet[],
  machines: Machines | undefined,
): void {
  const own = scaleSets.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (machines === undefined) {
    if (own !== undefined) throw missingInstances(name);
    return;
  }
  // The capacity of a Flexible scale set does not count the machines that were attached to it.
  if (own?.isUniform === true && own.capacity === 0) return;
  throw emptyList(`no instance of scale set ${name}, which ${wordsFor(own)}`);
}

function wordsFor(scaleSet: ScaleSet | undefined): string {
  if (scaleSet === undefined) return 'is not listed';
  return scaleSet.isUniform ? `has a capacity of ${scaleSet.capacity}` : 'is Flexible';
}

/** Returns the error for a scale set that Azure lists but does not find. */
export function missingInstances(scaleSet: string): AzureError {
  return emptyList(`scale set ${scaleSet}, but did not find its instances`);
}

export function emptyList(what: string): AzureError {
  return new AzureError('AzureListEmpty', `Azure listed ${what}`);
}
