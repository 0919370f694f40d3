/** Properties of the resolution, for thousands of random clouds and requests. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  cidrOfAddress,
  containsAddress,
  formatAddress,
  type IpAddress,
  isSameAddress,
  parseAddress,
  specialUseOf,
} from '../ip/index.ts';
import {
  type CloudAddress,
  isSameList,
  type NodeAddress,
  readAddresses,
  withoutDuplicates,
} from './address-list.ts';
import type { Exclusion } from './exclusion.ts';
import { requestRefusals } from './refusal.ts';
import { type Resolution, resolveAddresses } from './resolve.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const runs = { numRuns: 3000 };

/**
 * Few addresses in many spellings, so that requests often match the cloud, and often only by value.
 */
const spellings: Record<string, string[]> = {
  '10.0.0.1': ['10.0.0.1', '010.0.00.1', '::ffff:10.0.0.1', '::FFFF:a00:1'],
  '10.0.0.2': ['10.0.0.2', '::ffff:10.0.0.2'],
  '1.2.3.4': ['1.2.3.4', '001.2.3.4'],
  '169.254.0.1': ['169.254.0.1'],
  'fd00::1': ['fd00::1', 'FD00:0:0::1', 'fd00:0:0:0:0:0:0.0.0.1'],
  'fd00::2': ['fd00::2', 'fd00::0002'],
  '2001:db8::1': ['2001:db8::1', '2001:DB8:0:0:0:0:0:1'],
  'fe80::1': ['fe80::1'],
};
const canonicals = Object.keys(spellings);
const spelt = fc.constantFrom(...canonicals).chain((text) => fc.constantFrom(...spellings[text]!));
const type = fc.constantFrom(
  'InternalIP',
  'InternalIP',
  'ExternalIP',
  'Hostname',
  'InternalDNS',
  'Novel',
);
const entry: fc.Arbitrary<NodeAddress> = fc
  .tuple(type, fc.oneof({ weight: 6, arbitrary: spelt }, fc.constantFrom('node-0', '', '10.0.0')))
  .map(([kind, address]) => ({ type: kind, address }));
const cloud = fc.array(entry, { maxLength: 8 });
const family = fc.constantFrom('IPv4', 'IPv6');
const token = fc.oneof(spelt, family);
const request = fc.oneof(
  token,
  fc.tuple(token, token).map((pair) => pair.join(',')),
  fc.constantFrom('IPv4,IPv6', 'IPv6,IPv4'),
  fc.string({ maxLength: 12 }),
);
const exclusions = fc
  .array(
    fc.record({
      address: fc.constantFrom(...canonicals),
      type: fc.option(type, { nil: undefined }),
    }),
    { maxLength: 2 },
  )
  .map((list) =>
    list.map(({ address, type: only }): Exclusion => ({
      cidr: cidrOfAddress(parseAddress(address)!),
      ...(only === undefined ? {} : { type: only }),
      reason: 'a VIP',
    })),
  );

function resolve(
  given: readonly NodeAddress[],
  text: string | null,
  without: readonly Exclusion[] = [],
): Resolution {
  return resolveAddresses({
    cloud: readAddresses(given),
    request: text,
    exclusions: without,
    gates: { CloudNodeIPs: true },
  });
}

const isKept = ({ type: kind, ip }: CloudAddress, { cidr, type: only }: Exclusion): boolean =>
  ip === undefined || (only !== undefined && only !== kind) || !containsAddress(cidr, ip);
const hasFamilyToken = (text: string): boolean => /IPv[46]/.test(text);

describe('every resolution', () => {
  it('has only addresses that the cloud gave, and none that is excluded (P2)', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(cloud, fc.option(request), exclusions, (given, text, without) => {
          const got = resolve(given, text, without);
          if (got.kind === 'refused') return;
          if (without.length > 0) hit();
          for (const one of got.addresses) {
            assert.ok(given.includes(one.entry));
            assert.deepEqual(one.entry, { type: one.type, address: one.address });
            for (const exclusion of without) assert.ok(isKept(one, exclusion));
          }
        }),
        runs,
      ),
    );
  });

  it('with a family token ends in exactly the requested stack or in a refusal', () => {
    const asked = fc.oneof(
      family,
      fc.tuple(token, token).map((pair) => pair.join(',')),
    );
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(cloud, asked.filter(hasFamilyToken), (given, text) => {
          const got = resolve(given, text);
          if (got.kind === 'refused') return;
          hit();
          assert.equal(naiveStack(got.addresses), naiveStackAsked(text));
        }),
        runs,
      ),
    );
  });

  it('never picks an unreachable address for a family token', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(
          cloud,
          fc.oneof(family, fc.constantFrom('IPv4,IPv6', 'IPv6,IPv4')),
          (given, text) => {
            const got = resolve(given, text);
            if (got.kind === 'refused') return;
            hit();
            for (const { entries } of got.picks)
              assert.equal(specialUseOf(entries[0]!.ip!), undefined);
          },
        ),
        runs,
      ),
    );
  });

  it('with a family token equals, within one family, the resolution of the picked literal', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(cloud, family, (given, word) => {
          const ofOneFamily = given.filter(
            ({ address }) => (parseAddress(address)?.family ?? word) === word,
          );
          const got = resolve(ofOneFamily, word);
          if (got.kind === 'refused') return;
          hit();
          const literal = formatAddress(got.picks[0]!.entries[0]!.ip!);
          const byLiteral = resolve(ofOneFamily, literal);
          assert.ok(
            byLiteral.kind === 'resolved' && isSameList(byLiteral.addresses, got.addresses),
          );
        }),
        runs,
      ),
    );
  });

  it('does not depend on the spelling of a requested address', () => {
    const respelt = fc
      .constantFrom(...canonicals)
      .chain((text) =>
        fc.tuple(fc.constantFrom(...spellings[text]!), fc.constantFrom(...spellings[text]!)),
      );
    fc.assert(
      fc.property(cloud, respelt, fc.option(token), (given, [one, other], second) => {
        const rest = second === null ? '' : `,${second}`;
        const [a, b] = [resolve(given, one + rest), resolve(given, other + rest)];
        assert.equal(outcomeOf(a), outcomeOf(b));
      }),
      runs,
    );
  });

  it('is the same if the cloud lists its result', () => {
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(cloud, fc.option(request), (given, text) => {
          const got = resolve(given, text);
          if (got.kind === 'refused') return;
          hit();
          assert.equal(outcomeOf(resolve(got.addresses, text)), outcomeOf(got));
        }),
        runs,
      ),
    );
  });

  it('has a known code and a bounded, printable message if it is refused', () => {
    const hostile = fc.oneof(request, fc.string({ unit: 'binary', maxLength: 2000 }));
    const binary = fc.string({ unit: 'binary', maxLength: 60 });
    const hostileCloud = fc.array(
      fc
        .tuple(
          fc.oneof(
            type,
            binary.map((text) => `${text}IP`),
          ),
          fc.oneof(spelt, binary),
        )
        .map(([kind, address]) => ({ type: kind, address })),
    );
    assertHits(50, (hit) =>
      fc.assert(
        fc.property(hostileCloud, hostile, exclusions, (given, text, without) => {
          const got = resolve(given, text, without);
          if (got.kind === 'resolved') return;
          hit();
          assert.ok(Object.hasOwn(requestRefusals, got.refusal.code));
          assert.match(got.refusal.message, /^[ -~…]{1,600}$/u);
        }),
        runs,
      ),
    );
  });

  it('agrees with a naive second implementation of the rules', () => {
    fc.assert(
      fc.property(
        cloud,
        fc.option(
          fc.oneof(
            token,
            fc.tuple(token, token).map((pair) => pair.join(',')),
          ),
        ),
        (given, text) => {
          const got = resolve(given, text);
          const list =
            got.kind === 'resolved'
              ? got.addresses.map(({ type: kind, address }) => ({ type: kind, address }))
              : null;
          assert.deepEqual(list, naiveResolve(given, text));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('can be written: only exact duplicates are removed', () => {
    fc.assert(
      fc.property(cloud, (given) => {
        const written = withoutDuplicates(given);
        const key = ({ type: kind, address }: NodeAddress): string => `${kind}=${address}`;
        assert.deepEqual(written.map(key), [...new Set(given.map(key))]);
      }),
      runs,
    );
  });
});

function outcomeOf(resolution: Resolution): string {
  return resolution.kind === 'refused'
    ? resolution.refusal.code
    : JSON.stringify(resolution.addresses.map(({ type: kind, address }) => [kind, address]));
}

/** A naive implementation of the rules on texts and lists, which shares only the parser. */
function naiveResolve(given: readonly NodeAddress[], text: string | null): NodeAddress[] | null {
  if (given.length === 0) return null;
  if (text === null) return [...given];
  const words = text.split(',');
  const isWord = (word: string): boolean => word === 'IPv4' || word === 'IPv6';
  const ipOf = (address: string): IpAddress | undefined => parseAddress(address);
  const families = words.map((word) => (isWord(word) ? word : ipOf(word)?.family));
  if (words.length === 2 && families[0] === families[1]) return null;

  let list = [...given];
  if (words.some(isWord)) {
    list = list.filter(({ type: kind, address }) => {
      const ip = ipOf(address);
      return (
        !(kind === 'InternalIP' || kind === 'ExternalIP') || !ip || families.includes(ip.family)
      );
    });
  }
  const first: NodeAddress[] = [];
  const picked: string[] = [];
  for (const word of words) {
    const fit = (kind: string): NodeAddress | undefined =>
      list.find(({ type: of, address }) => {
        const ip = ipOf(address);
        return of === kind && ip?.family === word && !specialUseOf(ip);
      });
    const target = isWord(word) ? (fit('InternalIP') ?? fit('ExternalIP'))?.address : word;
    const ip = target === undefined ? undefined : ipOf(target);
    const same = list.filter(({ address }) => {
      const other = ipOf(address);
      return ip !== undefined && other !== undefined && isSameAddress(ip, other);
    });
    if (ip === undefined || same.length === 0) return null;
    picked.push(formatAddress(ip));
    first.push(...same);
  }
  const result = [
    ...first,
    ...list.filter(({ type: kind }) => !first.some((one) => one.type === kind)),
  ];
  if (!words.some(isWord)) return result;
  return naiveNodeIPs(result).join(',') === picked.join(',') ? result : null;
}

function naiveNodeIPs(list: readonly NodeAddress[]): string[] {
  const ips = ['InternalIP', 'ExternalIP'].flatMap((kind) =>
    list.filter((one) => one.type === kind).flatMap(({ address }) => parseAddress(address) ?? []),
  );
  const other = ips.find(({ family: of }) => of !== ips[0]?.family);
  return [...ips.slice(0, 1), ...(other === undefined ? [] : [other])].map(formatAddress);
}

function naiveStack(addresses: readonly CloudAddress[]): string {
  const ips = ['InternalIP', 'ExternalIP'].flatMap((kind) =>
    addresses.filter((one) => one.type === kind && one.ip).map(({ ip }) => ip!.family),
  );
  const seen = [...new Set(ips)];
  return seen.length === 2 ? `DS ${seen[0]}-primary` : `SS ${seen[0]}`;
}

function naiveStackAsked(text: string): string {
  const families = text
    .split(',')
    .map((word) => (word.startsWith('IPv') ? word : parseAddress(word)!.family));
  return families.length === 2 ? `DS ${families[0]}-primary` : `SS ${families[0]}`;
}
