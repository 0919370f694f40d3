/**
 * Confirms empty lists: an empty list alone never proves that a machine is gone, so a second request has to agree (P3).
 * For a scale set that is its capacity; for a virtual machine it is the machine itself. A look-up asks about only a few
 * machines. The others stay unknown until a later look-up, after the first nodes were deleted.
 */
import { isResourceMissing } from './call-failure.ts';
import { AzureError } from './failure.ts';
import type { FleetView } from './fleet.ts';
import { valueOf } from './list-cache.ts';
import type { MachineApi, ScaleSet } from './machine-api.ts';
import type { MachineRef } from './provider-id.ts';

/** The number of virtual machines that one look-up reads one by one. */
const machinesMax = 5;

export class SecondQuestions {
  readonly #api: MachineApi;
  readonly #signal: AbortSignal;
  #asked = 0;

  constructor(api: MachineApi, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  /** Resolves if a second request confirms the empty list, and rejects otherwise. */
  async confirmEmpty(ref: MachineRef, view: FleetView): Promise<void> {
    return ref.scaleSet === undefined
      ? this.#confirmMachine(ref)
      : confirmScaleSet(ref, ref.scaleSet, view);
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

async function confirmScaleSet(
  { scope }: MachineRef,
  scaleSet: string,
  view: FleetView,
): Promise<void> {
  const { value } = valueOf(await view.scaleSets(scope));
  const own = value.find(({ name }) => name.toLowerCase() === scaleSet.toLowerCase());
  // The capacity of a Flexible scale set does not count the machines that were attached to it.
  if (own?.isUniform === true && own.capacity === 0) return;
  throw emptyList(`no instance of scale set ${scaleSet}, which ${wordsFor(own)}`);
}

function wordsFor(scaleSet: ScaleSet | undefined): string {
  if (scaleSet === undefined) return 'is not listed';
  return scaleSet.isUniform ? `has a capacity of ${scaleSet.capacity}` : 'is Flexible';
}

export function emptyList(what: string): AzureError {
  return new AzureError('AzureListEmpty', `Azure listed ${what}`);
}
