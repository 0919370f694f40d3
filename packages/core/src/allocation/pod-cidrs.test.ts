/**
 * The texts that API servers accept as podCIDRs, or accepted before Kubernetes 1.36, with their
 * values.
 */
import assert from 'node:assert/strict';
import { formatCidr } from '../ip/index.ts';
import { readPodCIDR } from './pod-cidrs.ts';

describe('a podCIDR of a node', () => {
  const cases = [
    { text: '10.244.1.0/24', want: '10.244.1.0/24' },
    { text: '10.244.1.77/24', want: '10.244.1.0/24' },
    { text: '010.244.001.0/24', want: '10.244.1.0/24' },
    { text: 'FD00:10:244:1::/64', want: 'fd00:10:244:1::/64' },
    { text: 'fd00:10:244:1::7/64', want: 'fd00:10:244:1::/64' },
    { text: '::ffff:10.244.1.0/120', want: '10.244.1.0/24' },
    { text: '::ffff:10.244.1.77/120', want: '10.244.1.0/24' },
    { text: '::ffff:a.b.c.d/120', want: undefined },
    { text: '::ffff:10.244.1.0/95', want: undefined },
    { text: '::ffff:10.244.1.0/129', want: undefined },
    { text: '10.244.1.0/33', want: undefined },
    { text: '10.244.1.0', want: undefined },
    { text: '10.244.1.0/24/24', want: undefined },
    { text: '', want: undefined },
  ];
  for (const { text, want } of cases) {
    it(`"${text}" is read as ${want ?? 'no CIDR'}`, () => {
      const { cidr } = readPodCIDR(text);
      assert.equal(cidr && formatCidr(cidr), want);
    });
  }
});
