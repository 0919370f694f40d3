import assert from 'node:assert/strict';
import { readKepRows, readRecordedArguments } from '../../../../test/support/vectors.ts';
import { runKubelet } from './kubelet.ts';

/** The unspecified, loopback, multicast and link-local addresses among the recorded ones. */
const unannotated = new Set([
  '0.0.0.0',
  '::',
  '127.0.0.1',
  '::1',
  '169.254.1.1',
  'fe80::1',
  'ff02::1',
]);

describe('runKubelet', () => {
  it('writes the annotation of every row of the KEP', () => {
    for (const { nodeIP, annotation } of readKepRows()) {
      assert.deepEqual(runKubelet(nodeIP, 'kep'), {
        annotation,
        ignored: [],
        refused: null,
        withheld: null,
      });
    }
  });

  it('accepts, ignores and refuses values as the released kubelet in every recorded case', () => {
    for (const [argument, ips, ignored] of readRecordedArguments()) {
      const outcome = runKubelet(argument, 'released');
      // Kubelet writes no annotation for an unspecified address, which only picks a family, nor for
      // an address that fails its validation at run time.
      const isNone = ips === null || ips.length === 0 || ips.some((ip) => unannotated.has(ip));
      assert.equal(outcome.annotation, isNone ? null : ips.join(','), argument);
      assert.deepEqual(outcome.ignored, ignored, argument);
      assert.equal(outcome.refused !== null, ips === null, argument);
    }
  });

  const cases = [
    { nodeIP: 'IPv4', released: [null, ['IPv4']], kep: ['IPv4', []] },
    { nodeIP: 'IPv6, 5.6.7.8 ', released: ['5.6.7.8', ['IPv6']], kep: ['IPv6,5.6.7.8', []] },
    { nodeIP: 'ipv6,1.2.3.4', released: ['1.2.3.4', ['ipv6']], kep: ['1.2.3.4', ['ipv6']] },
    { nodeIP: '::ffff:1.2.3.4', released: ['1.2.3.4', []], kep: ['1.2.3.4', []] },
    { nodeIP: '', released: [null, []], kep: [null, []] },
    { nodeIP: null, released: [null, []], kep: [null, []] },
  ] as const;
  for (const { nodeIP, ...want } of cases) {
    for (const kind of ['released', 'kep'] as const) {
      const [annotation, ignored] = want[kind];
      it(`a ${kind} kubelet with --node-ip=${nodeIP} annotates ${annotation}`, () => {
        assert.deepEqual(runKubelet(nodeIP, kind), {
          annotation,
          ignored,
          refused: null,
          withheld: null,
        });
      });
    }
  }

  it('starts with an unreachable address, and does not annotate it', () => {
    const outcome = runKubelet('127.0.0.1,fd00::1', 'released');
    assert.deepEqual([outcome.annotation, outcome.refused], [null, null]);
    assert.equal(outcome.withheld, '127.0.0.1 is a loopback address');
  });

  it('does not start with a pair of one family or with an unspecified address in a pair', () => {
    assert.match(runKubelet('IPv4,1.2.3.4', 'kep').refused ?? '', /single IP or a dual-stack pair/);
    assert.match(runKubelet('IPv4,::', 'kep').refused ?? '', /cannot include '0\.0\.0\.0' or '::'/);
    assert.equal(runKubelet('IPv4,1.2.3.4', 'released').refused, null);
  });
});
