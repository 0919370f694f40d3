import assert from 'node:assert/strict';
import { cidrOfAddress, parseAddress } from '../ip/index.ts';
import { isSameList, type NodeAddress, readAddresses } from './address-list.ts';
import { carryOverHostnames } from './hostname.ts';

const internal: NodeAddress = { type: 'InternalIP', address: '10.0.0.1' };
const hostname = (address: string): NodeAddress => ({ type: 'Hostname', address });

describe('carryOverHostnames', () => {
  const carry = (cloud: NodeAddress[], current: NodeAddress[]): readonly NodeAddress[] =>
    carryOverHostnames({
      resolved: readAddresses(cloud),
      cloud,
      current,
      exclusions: [{ cidr: cidrOfAddress(parseAddress('10.0.0.5')!), reason: 'API VIP' }],
    }).map(({ type, address }) => ({ type, address }));

  it("keeps the node's Hostnames at the end if the cloud gives none", () => {
    const got = carry(
      [internal],
      [hostname('a'), { type: 'InternalIP', address: '10.9.9.9' }, hostname('b')],
    );
    assert.deepEqual(got, [internal, hostname('a'), hostname('b')]);
  });

  it("drops the node's Hostnames if the cloud gives one", () => {
    assert.deepEqual(carry([hostname('cloud'), internal], [hostname('a')]), [
      hostname('cloud'),
      internal,
    ]);
  });

  it('does not bring an excluded address back as a Hostname (P2)', () => {
    assert.deepEqual(carry([internal], [hostname('10.0.0.5'), hostname('a')]), [
      internal,
      hostname('a'),
    ]);
  });
});

describe('isSameList', () => {
  it('is false for lists that differ in order, text or length', () => {
    const list = [internal, hostname('a')];
    assert.ok(isSameList(list, [{ ...internal }, hostname('a')]));
    assert.ok(!isSameList(list, list.toReversed()));
    assert.ok(
      !isSameList(
        [{ type: 'InternalIP', address: 'fd00::1' }],
        [{ type: 'InternalIP', address: 'FD00::1' }],
      ),
    );
    assert.ok(!isSameList(list, [internal]));
    assert.ok(!isSameList([internal], list));
  });
});
