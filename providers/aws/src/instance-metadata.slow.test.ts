/** Tests the address of the instance metadata service, and how long the provider waits for it. */
import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { FakeMetadata } from '../../../test/support/ec2/index.ts';
import { endpointOf, InstanceMetadata } from './instance-metadata.ts';

const { signal } = new AbortController();

describe('the instance metadata service', () => {
  it('times out after two seconds, and the error names the hop limit', async () => {
    await using fake = await FakeMetadata.start({ 'placement/region': 'eu-west-1' });
    const clock = virtualClock();
    const metadata = new InstanceMetadata({ AWS_EC2_METADATA_SERVICE_ENDPOINT: fake.url }, clock);
    assert.equal(await metadata.read('placement/region', signal), 'eu-west-1');
    fake.isMute = true;
    const mute = metadata.read('instance-id', signal);
    const ended = assert.rejects(mute, {
      message: /did not answer: no answer within 2000 ms\. .* a hop limit .* of 2/,
    });
    await clock.advance(2_000);
    await ended;
  });

  it('is called again after it was turned off', async () => {
    await using fake = await FakeMetadata.start({ 'instance-id': 'i-1' });
    const environment = { AWS_EC2_METADATA_SERVICE_ENDPOINT: fake.url };
    const metadata = new InstanceMetadata(environment, virtualClock());
    fake.isOff = true;
    await assert.rejects(metadata.read('instance-id', signal), { message: /status code 403/ });
    fake.isOff = false;
    assert.equal(await metadata.read('instance-id', signal), 'i-1');
  });

  const cases = [
    { environment: {}, want: 'http://169.254.169.254' },
    {
      environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'IPv4' },
      want: 'http://169.254.169.254',
    },
    {
      environment: { AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'IPv6' },
      want: 'http://[fd00:ec2::254]',
    },
    {
      environment: {
        AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://[::1]:1338',
        AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'IPv4',
      },
      want: 'http://[::1]:1338',
    },
  ];
  for (const { environment, want } of cases) {
    it(`is at ${want} for the variables ${JSON.stringify(environment)}`, () => {
      assert.equal(endpointOf(environment), want);
    });
  }
});
