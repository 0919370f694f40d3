import assert from 'node:assert/strict';
import {
  type Cidr,
  formatAddress,
  formatCidr,
  networkOf,
  overlaps,
  parseAddress,
  subnetAt,
  subnetCount,
} from '../ip/index.ts';
import * as fc from 'fast-check';
import { coversAllBlocks, findOverlaps, sizeProblem, unusableProblem } from './range-rules.ts';

/** Draws ranges from a space so small that overlaps are frequent. */
function smallRange(text: string, lengths: { readonly min: number; readonly max: number }) {
  const address = parseAddress(text);
  assert.ok(address !== undefined);
  const space = networkOf(address, lengths.min);
  return fc
    .integer(lengths)
    .chain((prefixLength) =>
      fc
        .nat(subnetCount(space, prefixLength) - 1)
        .map((index): Cidr => subnetAt(space, { prefixLength, index })),
    );
}

const anyRange = fc.oneof(
  smallRange('10.0.0.0', { min: 24, max: 32 }),
  smallRange('fd00::', { min: 56, max: 64 }),
);

/**
 * Private, shared, documentation, class E and global ranges, all of which clusters use for pods.
 */
const usable =
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 192.0.2.0/24 240.0.0.0/5 1.0.0.0/8 128.0.0.0/3 fc00::/7 fd00::/48 2000::/3 64:ff9b::/96 2001:db8::/32';
const never =
  '0.0.0.0/0 0.0.0.0/1 0.0.0.0/8 127.0.0.0/8 127.1.0.0/16 126.0.0.0/7 169.254.0.0/16 160.0.0.0/4 224.0.0.0/4 239.1.1.0/24 192.0.0.0/2 255.0.0.0/8 ::/0 ::/64 ::1/128 fe80::/10 fe80::/64 fe00::/8 ff00::/8 ff02::/16';

describe('ranges for pod CIDRs', () => {
  for (const [verdict, texts] of [
    ['usable', usable],
    ['unusable', never],
  ] as const) {
    for (const text of texts.split(' ')) {
      it(`are ${verdict}: ${text}`, () => {
        const [network = '', length] = text.split('/');
        const address = parseAddress(network);
        assert.ok(address !== undefined);
        const cidr = networkOf(address, Number(length));
        assert.equal(`${formatAddress(cidr.network)}/${length}`, text);
        assert.equal(unusableProblem(cidr) !== undefined, verdict === 'unusable');
      });
    }
  }

  it('are reported as overlapping exactly if a comparison of all pairs finds an overlap', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 8 }), (cidrs) => {
        const ranges = cidrs.map((cidr, index) => ({ cidr, index }));
        const found = findOverlaps(ranges);
        for (const { range, earlier } of found) {
          assert.ok(overlaps(range.cidr, earlier.cidr));
          assert.ok(earlier.index < range.index);
        }
        const told = new Set(found.flatMap(({ range, earlier }) => [range, earlier]));
        const naive = ranges.filter((one) =>
          ranges.some((other) => other !== one && overlaps(one.cidr, other.cidr)),
        );
        assert.deepEqual(told, new Set(naive));
      }),
    );
  });

  it('are covered by a network exactly if it overlaps every block of them', () => {
    const lengths = { min: 24, max: 30 };
    fc.assert(
      fc.property(
        smallRange('10.0.0.0', lengths),
        smallRange('10.0.0.0', lengths),
        fc.integer({ min: 24, max: 30 }),
        (cidr, network, nodeMaskSize) => {
          fc.pre(nodeMaskSize >= cidr.prefixLength);
          const blocks = Array.from({ length: subnetCount(cidr, nodeMaskSize) }, (_, index) =>
            subnetAt(cidr, { prefixLength: nodeMaskSize, index }),
          );
          assert.equal(
            coversAllBlocks(network, { cidr, nodeMaskSize }),
            blocks.every((block) => overlaps(block, network)),
            `${formatCidr(network)} on ${formatCidr(cidr)} in /${nodeMaskSize}`,
          );
        },
      ),
    );
  });

  it('accept block sizes from their own prefix length to that of an address, and no other', () => {
    fc.assert(
      fc.property(anyRange, fc.integer({ min: -1, max: 130 }), (cidr, nodeMaskSize) => {
        const longest = cidr.network.family === 'IPv4' ? 32 : 128;
        const isPossible = nodeMaskSize >= cidr.prefixLength && nodeMaskSize <= longest;
        assert.equal(sizeProblem({ cidr, nodeMaskSize }) === undefined, isPossible);
      }),
    );
  });
});
