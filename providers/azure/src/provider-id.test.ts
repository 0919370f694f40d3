import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { instanceKeyOf, machineRefOf, providerIDOf } from './provider-id.ts';

const group = '/subscriptions/S-1/resourceGroups/MC_Blue/providers/Microsoft.Compute';

describe('providerIDs of Azure', () => {
  const vm = 's-1/mc_blue/worker-1';
  const third = 's-1/mc_blue/pool/3';
  const cases: { readonly providerID: string; readonly want: string | undefined }[] = [
    { providerID: `azure://${group}/virtualMachines/worker-1`, want: vm },
    { providerID: `azure://${group.toUpperCase()}/VIRTUALMACHINES/Worker-1`, want: vm },
    { providerID: `azure://${group}/virtualMachineScaleSets/pool/virtualMachines/3`, want: third },
    { providerID: `azure://${group}/virtualMachineScaleSets/POOL/virtualMachines/3`, want: third },
    {
      providerID: `azure://${group}/virtualMachineScaleSets/pool/virtualMachines/Pool_3`,
      want: third,
    },
    {
      providerID: `azure://${group}/virtualMachineScaleSets/pool/virtualMachines/30`,
      want: 's-1/mc_blue/pool/30',
    },
    { providerID: `azure://${group}/virtualMachineScaleSets/pool`, want: undefined },
    { providerID: `azure://${group}/disks/worker-1`, want: undefined },
    { providerID: `azure://${group}/virtualMachines/worker-1/extensions/x`, want: undefined },
    {
      providerID: `azure://${group.replace('Compute', 'Network')}/virtualMachines/worker-1`,
      want: undefined,
    },
    { providerID: `azure://${group}/virtualMachines/`, want: undefined },
    { providerID: `azure:${group}/virtualMachines/worker-1`, want: undefined },
    { providerID: `Azure://${group}/virtualMachines/worker-1`, want: undefined },
    { providerID: `${group}/virtualMachines/worker-1`, want: undefined },
    { providerID: 'azure://', want: undefined },
    { providerID: 'azure:///%00/..', want: undefined },
    { providerID: `azure:///${'x'.repeat(4_096)}`, want: undefined },
    { providerID: 'aws:///eu-west-1a/i-0123456789abcdef0', want: undefined },
  ];
  for (const { providerID, want } of cases) {
    it(`like ${JSON.stringify(providerID.slice(0, 110))} name ${want ?? 'no machine'}`, () =>
      assert.equal(instanceKeyOf(providerID), want));
  }

  it('name the scope and the scale set whose list has the machine', () => {
    const { scope, scaleSet, name } =
      machineRefOf(`azure://${group}/virtualMachineScaleSets/pool/virtualMachines/pool_7`) ??
      assert.fail('no machine');
    assert.deepEqual(
      { scope, scaleSet, name },
      { scope: { subscriptionId: 'S-1', resourceGroup: 'MC_Blue' }, scaleSet: 'pool', name: '7' },
    );
  });

  it('are written with the resource group in lower case, and the rest as Azure spells it', () => {
    assert.equal(
      providerIDOf(`${group}/virtualMachineScaleSets/Pool/virtualMachines/3`),
      'azure:///subscriptions/S-1/resourceGroups/mc_blue/providers/Microsoft.Compute/virtualMachineScaleSets/Pool/virtualMachines/3',
    );
  });

  it('have the same key in upper case and when they are written again', () => {
    const names = fc.stringMatching(/^[A-Za-z][\w.-]{0,20}$/);
    fc.assert(
      fc.property(names, names, names, fc.nat(), (groupName, set, vmName, number) => {
        const base = `/subscriptions/s/resourceGroups/${groupName}/providers/Microsoft.Compute`;
        const ids = [
          `${base}/virtualMachines/${vmName}`,
          `${base}/virtualMachineScaleSets/${set}/virtualMachines/${number}`,
        ];
        for (const id of ids) {
          const key = instanceKeyOf(`azure://${id}`);
          assert.notEqual(key, undefined);
          assert.equal(instanceKeyOf(providerIDOf(id)), key);
          assert.equal(instanceKeyOf(`azure://${id.toUpperCase()}`), key);
        }
        const [first, second] = ids.map((id) => instanceKeyOf(`azure://${id}`));
        assert.notEqual(first, second);
      }),
    );
  });
});
