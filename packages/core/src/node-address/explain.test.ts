import assert from 'node:assert/strict';
import { cidrOfAddress, parseAddress } from '../ip/index.ts';
import { readAddresses } from './address-list.ts';
import { explainAddresses, type Explanation } from './explain.ts';

const cloud = readAddresses([
  { type: 'InternalIP', address: '10.0.0.5' },
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'InternalIP', address: '10.0.0.1' },
  { type: 'ExternalIP', address: '2001:db8::1' },
  { type: 'Hostname', address: 'node-0' },
]);
const explain = (value: string | null): Explanation =>
  explainAddresses({
    cloud,
    request: value === null ? null : { value, source: 'tandem.dev/node-ip' },
    exclusions: [{ cidr: cidrOfAddress(parseAddress('10.0.0.5')!), reason: 'API VIP' }],
    gates: { CloudNodeIPs: true },
  });

describe('explainAddresses', () => {
  it('lists each step from the request to the stack', () => {
    assert.deepEqual(explain('IPv4').steps(), [
      'request "IPv4" from tandem.dev/node-ip',
      'excluded InternalIP 10.0.0.5: API VIP',
      'IPv4 matches InternalIP 10.0.0.1 and InternalIP 10.0.0.1, the first InternalIP of that family',
      'dropped ExternalIP 2001:db8::1: the request is for IPv4 only',
      "kept Hostname node-0: addresses of other types follow in the cloud's order",
      "the node's list will omit 1 exact duplicate",
      'consumers see SS IPv4: 10.0.0.1',
    ]);
  });

  it('refers to the entries of the cloud, so that an explanation keeps no copies of them', () => {
    const entries = cloud.map(({ entry }) => entry);
    const { addresses, cloud: listed } = explain(null);
    listed.forEach((one, index) => assert.equal(one, entries[index]));
    assert.ok(addresses?.every((one) => entries.includes(one)));
  });

  it('explains the result without a request', () => {
    assert.deepEqual(explain(null).steps().slice(0, 1), ['no request for particular addresses']);
    assert.equal(explain(null).stack, 'DS IPv4-primary');
    assert.equal(explain(null).request, null);
  });

  it('ends with code and message of a refusal, without addresses', () => {
    const { addresses, stack, error, steps, excluded } = explain('10.0.0.5');
    assert.deepEqual([addresses, stack, error?.code], [null, null, 'AddressNotFound']);
    assert.equal(steps().at(-1), `refused with AddressNotFound: ${error?.message}`);
    assert.deepEqual(excluded, [{ type: 'InternalIP', address: '10.0.0.5', reason: 'API VIP' }]);
  });
});
