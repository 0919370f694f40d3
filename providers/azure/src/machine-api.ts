/**
 * Makes the calls about machines and their networks, and no others: the role for look-ups consists of exactly these.
 */
import type { VirtualMachineScaleSet } from '@azure/arm-compute';
import type { Arm } from './arm.ts';
import type { Clients } from './clients.ts';
import { AzureError } from './failure.ts';
import {
  type InterfaceFacts,
  interfaceOf,
  type PublicAddressFacts,
  publicAddressOf,
} from './interface.ts';
import { type Machine, machineOfScaleSetVM, machineOfVM } from './machine.ts';
import type { Scope } from './resource-id.ts';

/** The maximum number of pages, far more than any list has, however short Azure's pages are. */
const pagesMax = 1_000;

export interface ScaleSet {
  readonly name: string;
  /**
   * Whether Azure lists its instances by scale set. Instances of a Flexible scale set are listed as virtual machines.
   */
  readonly isUniform: boolean;
  /** The prefix of its instances' host names, in lower case. */
  readonly prefix: string;
  readonly capacity: number;
}

/** A scale set as the place of a list. */
export interface ScaleSetScope extends Scope {
  readonly scaleSet: string;
}

/** A Flexible scale set, whose machines Azure lists in their resource group. */
export interface FlexibleScope extends Scope {
  readonly id: string;
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Whether to read only the first page, which shows whether Azure allows the call. */
  readonly isProbe?: boolean;
}

/** The part of the SDK's lists that this file uses. */
interface Paged<T> {
  byPage(): Pages<T>;
}

/** A page has a continuation token if there is a next page. */
type Pages<T> = AsyncIterableIterator<readonly T[] & { readonly continuationToken?: string }>;

export class MachineApi {
  readonly #arm: Arm;
  readonly #clients: Clients;

  constructor(arm: Arm, clients: Clients) {
    this.#arm = arm;
    this.#clients = clients;
  }

  virtualMachines(scope: Scope, options: ReadOptions): Promise<readonly Machine[]> {
    const { subscriptionId, resourceGroup } = scope;
    return this.#list({
      type: 'virtualMachines',
      request: 'vm_list',
      what: `list virtual machines in resource group ${resourceGroup}`,
      scope,
      options,
      open: async () =>
        (await this.#clients.compute(subscriptionId)).virtualMachines.list(resourceGroup),
      read: (vm) => machineOfVM(vm) ?? unreadable(vm.id),
    });
  }

  /** Lists the virtual machines of a Flexible scale set with their power states. */
  flexibleMachines(
    { id, ...scope }: FlexibleScope,
    options: ReadOptions,
  ): Promise<readonly Machine[]> {
    const { subscriptionId, resourceGroup } = scope;
    const filter = `'virtualMachineScaleSet/id' eq '${id}'`;
    return this.#list({
      type: 'virtualMachines',
      request: 'vm_list',
      what: `list virtual machines of scale set ${id}`,
      scope,
      options,
      open: async () => {
        const { virtualMachines } = await this.#clients.compute(subscriptionId);
        return virtualMachines.list(resourceGroup, { filter, expand: 'instanceView' });
      },
      read: machineOfVM,
    });
  }

  /**
   * Lists the power states of all virtual machines of a subscription. Azure has no smaller list of the power states of
   * standalone machines.
   */
  statuses(subscriptionId: string, options: ReadOptions): Promise<readonly Machine[]> {
    return this.#list({
      type: 'virtualMachines',
      request: 'vm_list_all',
      what: `list the states of virtual machines in subscription ${subscriptionId}`,
      scope: { subscriptionId, resourceGroup: '' },
      options,
      open: async () => {
        const { virtualMachines } = await this.#clients.compute(subscriptionId);
        return virtualMachines.listAll({ statusOnly: 'true' });
      },
      read: machineOfVM,
    });
  }

  scaleSets(scope: Scope, options: ReadOptions): Promise<readonly ScaleSet[]> {
    const { subscriptionId, resourceGroup } = scope;
    return this.#list({
      type: 'virtualMachineScaleSets',
      request: 'vmss_list',
      what: `list scale sets in resource group ${resourceGroup}`,
      scope,
      options,
      open: async () =>
        (await this.#clients.compute(subscriptionId)).virtualMachineScaleSets.list(resourceGroup),
      read: scaleSetOf,
    });
  }

  instances(scope: ScaleSetScope, options: ReadOptions): Promise<readonly Machine[]> {
    const { subscriptionId, resourceGroup, scaleSet } = scope;
    return this.#list({
      type: 'virtualMachineScaleSetVMs',
      request: 'vmssvm_list',
      what: `list instances of scale set ${scaleSet} in resource group ${resourceGroup}`,
      scope,
      options,
      open: async () => {
        const { virtualMachineScaleSetVMs } = await this.#clients.compute(subscriptionId);
        return virtualMachineScaleSetVMs.list(resourceGroup, scaleSet, { expand: 'instanceView' });
      },
      read: (vm) => machineOfScaleSetVM(vm) ?? unreadable(vm.id),
    });
  }

  interfaces(
    scope: Scope | ScaleSetScope,
    options: ReadOptions,
  ): Promise<readonly InterfaceFacts[]> {
    const { subscriptionId, resourceGroup } = scope;
    return this.#list({
      type: 'networkInterfaces',
      request: 'interfaces_list',
      what: `list network interfaces ${placeOf(scope)}`,
      scope,
      options,
      open: async () => {
        const { networkInterfaces } = await this.#clients.network(subscriptionId);
        return 'scaleSet' in scope
          ? networkInterfaces.listVirtualMachineScaleSetNetworkInterfaces(
              resourceGroup,
              scope.scaleSet,
            )
          : networkInterfaces.list(resourceGroup);
      },
      read: interfaceOf,
    });
  }

  publicAddresses(
    scope: Scope | ScaleSetScope,
    options: ReadOptions,
  ): Promise<readonly PublicAddressFacts[]> {
    const { subscriptionId, resourceGroup } = scope;
    return this.#list({
      type: 'publicIPAddresses',
      request: 'public_ip_addresses_list',
      what: `list public addresses ${placeOf(scope)}`,
      scope,
      options,
      open: async () => {
        const { publicIPAddresses } = await this.#clients.network(subscriptionId);
        return 'scaleSet' in scope
          ? publicIPAddresses.listVirtualMachineScaleSetPublicIPAddresses(
              resourceGroup,
              scope.scaleSet,
            )
          : publicIPAddresses.list(resourceGroup);
      },
      read: publicAddressOf,
    });
  }

  /** Resolves if the virtual machine exists. Rejects with the error of a missing resource if it does not. */
  async virtualMachine(scope: Scope, name: string, signal: AbortSignal): Promise<void> {
    const { subscriptionId, resourceGroup } = scope;
    const call = {
      type: 'virtualMachines',
      request: 'vm_get',
      what: `read virtual machine ${name} in resource group ${resourceGroup}`,
      ...scope,
      signal,
    };
    await this.#arm.call(call, async () => {
      const { virtualMachines } = await this.#clients.compute(subscriptionId);
      await virtualMachines.get(resourceGroup, name);
    });
  }

  /** Reads every page. Entries for which `read` returns undefined are left out. */
  async #list<Item, Fact>(list: {
    readonly type: string;
    readonly request: string;
    readonly what: string;
    readonly scope: Scope;
    readonly options: ReadOptions;
    readonly open: () => Promise<Paged<Item>>;
    readonly read: (item: Item) => Fact | undefined;
  }): Promise<readonly Fact[]> {
    const { type, request, what, scope, options, open, read } = list;
    const { subscriptionId, resourceGroup } = scope;
    const { signal, isProbe = false } = options;
    const call = { type, request, what, subscriptionId, resourceGroup, signal };
    const facts: Fact[] = [];
    let pages: Pages<Item> | undefined;
    for (let page = 0; page < pagesMax; page++) {
      const result = await this.#arm.call(call, async () => {
        pages ??= (await open()).byPage();
        return pages.next();
      });
      if (result.done === true) return facts;
      facts.push(...result.value.flatMap((item) => read(item) ?? []));
      if (isProbe || !result.value.continuationToken) return facts;
    }
    throw new AzureError('AzureCallFailed', `Could not ${what}: there are over ${pagesMax} pages`);
  }
}

function scaleSetOf(one: VirtualMachineScaleSet): ScaleSet | undefined {
  const { name, sku, orchestrationMode, virtualMachineProfile } = one;
  if (name === undefined) return undefined;
  const prefix = virtualMachineProfile?.osProfile?.computerNamePrefix ?? name;
  return {
    name,
    isUniform: orchestrationMode?.toLowerCase() !== 'flexible',
    prefix: prefix.toLowerCase(),
    capacity: sku?.capacity ?? 0,
  };
}

function placeOf(scope: Scope | ScaleSetScope): string {
  const group = `in resource group ${scope.resourceGroup}`;
  return 'scaleSet' in scope ? `of scale set ${scope.scaleSet} ${group}` : group;
}

/** Throws, because a list without this machine would show its node that the machine is gone. */
function unreadable(id: string | undefined): never {
  const message = `Azure listed a machine whose id cannot be read: ${id ?? 'none'}`;
  throw new AzureError('AzureInstanceUnreadable', message);
}
