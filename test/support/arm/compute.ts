/**
 * Machines, scale sets and their instances as Compute writes them. The power state and the fault domain
 * are in the instance view only, which has to be asked for.
 */
import {
  attachedToInstance,
  attachedToMachine,
  type Attached,
  inCapitals,
  instanceIdOf,
  machineId,
  scaleSetId,
} from './ids.ts';
import type { FakeComputer, FakeInstance, FakeMachine, FakeScaleSet } from './state.ts';

/** What of a machine is shown: all but the instance view, with it, or nothing beside it. */
type MachineView = 'model' | 'withInstanceView' | 'statusOnly';

export function machineJson(machine: FakeMachine, view: MachineView): unknown {
  const { name, location, zones, tags, scaleSet } = machine;
  const head = {
    name,
    id: inCapitals(machineId(machine)),
    type: 'Microsoft.Compute/virtualMachines',
    location,
  };
  const instanceView = instanceViewJson(machine);
  if (view === 'statusOnly') return { ...head, properties: { instanceView } };
  return {
    ...head,
    ...(zones.length === 0 ? {} : { zones }),
    tags,
    properties: {
      vmId: `vm-${name}`,
      hardwareProfile: { vmSize: machine.size },
      ...modelJson(machine, attachedToMachine(machine)),
      ...(scaleSet === undefined ? {} : { virtualMachineScaleSet: { id: inCapitals(scaleSet) } }),
      timeCreated: '2026-01-01T00:00:00.0000000+00:00',
      ...(view === 'withInstanceView' ? { instanceView } : {}),
    },
  };
}

export function scaleSetJson(scaleSet: FakeScaleSet): unknown {
  const { name, location, zones, mode, size, instances, computerNamePrefix } = scaleSet;
  const isUniform = mode === 'Uniform';
  return {
    name,
    id: inCapitals(scaleSetId(scaleSet)),
    type: 'Microsoft.Compute/virtualMachineScaleSets',
    location,
    ...(zones.length === 0 ? {} : { zones }),
    sku: { name: size, tier: 'Standard', capacity: instances.length },
    properties: {
      orchestrationMode: mode,
      provisioningState: 'Succeeded',
      uniqueId: `scale-set-${name}`,
      platformFaultDomainCount: 1,
      ...(isUniform ? { overprovision: false, upgradePolicy: { mode: 'Manual' } } : {}),
      virtualMachineProfile: {
        osProfile: { computerNamePrefix, adminUsername: 'azureuser' },
        networkProfile: {
          networkInterfaceConfigurations: [{ name: 'nic', properties: { primary: true } }],
        },
      },
    },
  };
}

export function instanceJson(
  scaleSet: FakeScaleSet,
  instance: FakeInstance,
  view: 'model' | 'withInstanceView',
): unknown {
  const { instanceId, location, zones, tags, size } = instance;
  const instanceView = instanceViewJson(instance);
  return {
    name: `${scaleSet.name}_${instanceId}`,
    id: inCapitals(instanceIdOf(scaleSet, instanceId)),
    type: 'Microsoft.Compute/virtualMachineScaleSets/virtualMachines',
    location,
    ...(zones.length === 0 ? {} : { zones }),
    tags,
    instanceId,
    sku: { name: size, tier: 'Standard' },
    properties: {
      latestModelApplied: true,
      modelDefinitionApplied: 'VirtualMachineScaleSet',
      vmId: `vm-${scaleSet.name}-${instanceId}`,
      hardwareProfile: {},
      ...modelJson(instance, attachedToInstance(scaleSet, instanceId)),
      ...(view === 'withInstanceView' ? { instanceView } : {}),
    },
  };
}

/** Disks, keys and settings are there because they make most of an answer's size. */
function modelJson(
  { computerName, provisioning, interfaces }: FakeComputer,
  attached: Attached,
): object {
  const disk = `${attached.id}_OsDisk_1`;
  return {
    provisioningState: provisioning,
    osProfile: {
      computerName,
      adminUsername: 'azureuser',
      linuxConfiguration: {
        disablePasswordAuthentication: true,
        ssh: { publicKeys: [{ path: '/home/azureuser/.ssh/authorized_keys', keyData: publicKey }] },
        provisionVMAgent: true,
        patchSettings: { patchMode: 'ImageDefault', assessmentMode: 'ImageDefault' },
      },
      secrets: [],
      allowExtensionOperations: true,
    },
    storageProfile: {
      imageReference: {
        publisher: 'Canonical',
        offer: 'ubuntu-24_04-lts',
        sku: 'server',
        version: 'latest',
      },
      osDisk: {
        osType: 'Linux',
        name: disk.split('/').at(-1),
        createOption: 'FromImage',
        caching: 'ReadWrite',
        managedDisk: { storageAccountType: 'Premium_LRS', id: disk },
        diskSizeGB: 128,
      },
      dataDisks: [],
    },
    networkProfile: {
      networkInterfaces: interfaces.map((each) => ({
        id: attached.interfaceId(each),
        // Azure leaves it out where there is no choice.
        ...(interfaces.length === 1 ? {} : { properties: { primary: each.primary } }),
      })),
    },
  };
}

function instanceViewJson({ faultDomain, power, provisioning }: FakeComputer): object {
  const time = '2026-01-01T00:00:00.0000000+00:00';
  const status = (code: string): object => ({ code, level: 'Info', displayStatus: code, time });
  return {
    ...(faultDomain === undefined
      ? {}
      : { platformUpdateDomain: 0, platformFaultDomain: faultDomain }),
    statuses: [
      status(`ProvisioningState/${provisioning.toLowerCase()}`),
      ...(power === undefined ? [] : [status(`PowerState/${power}`)]),
    ],
  };
}

const publicKey = `ssh-rsa ${'AAAAB3NzaC1yc2EAAAADAQABAAABgQ'.repeat(18)} azureuser`;
