import assert from 'node:assert/strict';
import { explainAddresses, readAddresses } from '@tandem/core/node-address';
import { seededRandom } from '@tandem/runtime/testing';
import { type CloudStack, furtherMachine } from './further-machines.ts';

const stacks: readonly CloudStack[] = ['dual', 'ipv4', 'ipv6'];

describe('further machines', () => {
  for (const stack of stacks) {
    it(`are expected to get the addresses that follow from their requests, on a cloud of ${stack}`, () => {
      const random = seededRandom(stack);
      const seen = new Set<string>();
      for (let number = 1; number <= 60; number++) {
        const { nodeIP, instance, expected } = furtherMachine({ number, stack, random });
        assert.ok(instance.kind === 'own');
        const answer = explainAddresses({
          cloud: readAddresses(instance.addresses),
          request: nodeIP === null ? null : { value: nodeIP, source: 'test' },
          exclusions: [],
          gates: { CloudNodeIPs: true },
        });
        seen.add(String(nodeIP));
        assert.deepEqual(
          expected,
          answer.addresses === null
            ? { state: 'refused', code: answer.error?.code }
            : {
                state: 'ready',
                addresses: answer.addresses.map(({ address }) => address),
                stack: answer.stack,
              },
        );
      }
      assert.equal(seen.size, 5);
    });
  }

  it('have unique names and addresses', () => {
    const random = seededRandom('names');
    const machines = Array.from({ length: 5_000 }, (_, index) =>
      furtherMachine({ number: index + 1, stack: 'dual', random }),
    );
    const addresses = machines.flatMap(({ instance }) =>
      instance.kind === 'own' ? instance.addresses.map(({ address }) => address) : [],
    );
    assert.equal(new Set(machines.map(({ name }) => name)).size, 5_000);
    assert.equal(new Set(addresses).size, 10_000);
  });
});
