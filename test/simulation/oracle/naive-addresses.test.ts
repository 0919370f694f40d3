/** The oracle's plain answer and the manager's are the same for whatever plans draw. */
import assert from 'node:assert/strict';
import { cidrOfAddress, parseAddress } from '@tandem/core/ip';
import { type Exclusion, readAddresses, resolveAddresses } from '@tandem/core/node-address';
import { seededRandom } from '@tandem/runtime/testing';
import { drawAddresses, drawOperatorRequest, vips } from '../plan/index.ts';
import { type NaiveAnswer, resolveNaively } from './naive-addresses.ts';
import { textsOf } from './stored-node.ts';

const exclusions: readonly Exclusion[] = vips.map((vip) => {
  const ip = parseAddress(vip);
  assert.ok(ip !== undefined);
  return { cidr: cidrOfAddress(ip), reason: 'VIP' };
});

function resolve(addresses: ReturnType<typeof drawAddresses>, request: string | null): NaiveAnswer {
  const cloud = readAddresses(addresses);
  const gates = { CloudNodeIPs: true };
  const answer = resolveAddresses({ cloud, request, exclusions, gates });
  return answer.kind === 'refused'
    ? { kind: 'refused', code: answer.refusal.code }
    : { kind: 'addresses', texts: textsOf(answer.addresses) };
}

describe('the oracle’s own resolution of a request', () => {
  it('agrees with the manager’s for whatever a plan may draw', () => {
    const random = seededRandom('naive');
    const kinds = new Set<string>();
    for (let number = 1; number <= 3_000; number++) {
      const addresses = drawAddresses(random, number % 200, 1);
      const request = random.next() < 0.2 ? null : drawOperatorRequest(random, addresses);
      const naive = resolveNaively(addresses, request);
      const told = `${JSON.stringify(addresses)} asked for ${JSON.stringify(request)}`;
      assert.deepEqual(naive, resolve(addresses, request), told);
      kinds.add(naive.kind === 'refused' ? naive.code : naive.kind);
    }
    assert.deepEqual([...kinds].toSorted(), [
      'AddressNotFound',
      'InvalidSyntax',
      'NoAddressOfFamily',
      'NoCloudAddresses',
      'SameFamilyPair',
      'TooManyTokens',
      'UnspecifiedInPair',
      'addresses',
    ]);
  });
});
