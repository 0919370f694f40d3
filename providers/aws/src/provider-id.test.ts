import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { instanceIdOf, instanceIdOfName, providerIDOf, zoneOf } from './provider-id.ts';

const id = 'i-0123456789abcdef0';

describe('providerIDs of AWS', () => {
  const cases = [
    { providerID: `aws:///eu-west-1a/${id}`, want: id, zone: 'eu-west-1a' },
    { providerID: `aws:////${id}`, want: id, zone: '' },
    { providerID: `aws:///${id}`, want: id, zone: '' },
    { providerID: id, want: id, zone: '' },
    { providerID: 'aws:///eu-west-1a/i-01234567', want: 'i-01234567', zone: 'eu-west-1a' },
    { providerID: 'aws:///eu-west-1a/fargate-ip-10-0-0-1', want: undefined, zone: '' },
    { providerID: `aws://eu-west-1a/${id}`, want: undefined, zone: '' },
    { providerID: `aws:///a/b/${id}`, want: undefined, zone: '' },
    { providerID: `AWS:///eu-west-1a/${id}`, want: undefined, zone: '' },
    { providerID: `aws:///eu-west-1a/${id}0`, want: undefined, zone: '' },
    { providerID: 'gce://p/z/n', want: undefined, zone: '' },
    { providerID: '', want: undefined, zone: '' },
  ];
  for (const { providerID, want, zone } of cases) {
    it(`like ${JSON.stringify(providerID)} name ${want ?? 'no instance'}`, () => {
      assert.equal(instanceIdOf(providerID), want);
      assert.equal(zoneOf(providerID), zone);
    });
  }

  it('that are written can be read again', () => {
    const zones = fc.constantFrom('eu-west-1a', 'us-west-2-lax-1a', 'us-gov-east-1b');
    const ids = fc.stringMatching(/^i-[0-9a-f]{17}$/);
    fc.assert(
      fc.property(zones, ids, (zone, instanceId) => {
        const providerID = providerIDOf(zone, instanceId);
        assert.equal(instanceIdOf(providerID), instanceId);
        assert.equal(zoneOf(providerID), zone);
      }),
    );
  });
});

describe('names of nodes on AWS', () => {
  const cases = [
    { name: id, want: id },
    { name: `${id}.eu-west-1.compute.internal`, want: id },
    { name: `${id}-copy`, want: undefined },
    { name: 'ip-10-0-0-1.eu-west-1.compute.internal', want: undefined },
    { name: 'i-am-a-name', want: undefined },
  ];
  for (const { name, want } of cases) {
    it(`like ${name} contain ${want ?? 'no instance id'}`, () =>
      assert.equal(instanceIdOfName(name), want));
  }
});
