/**
 * A manager that starts with another cluster CIDR than its predecessor had. It starts, leaves the podCIDRs of
 * nodes as they are, reports on each node what is wrong with them now, and serves new nodes.
 */
import assert from 'node:assert/strict';
import { useInstallation } from '../manager/installation.ts';
import {
  allocating,
  assertNoneShared,
  numbered,
  podCIDRsOf,
  registerAll,
  registerWith,
  untilAllocated,
} from './allocation.ts';

const dual = '10.244.0.0/16,fd00:10:244::/56';

interface Change {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  /** What is reported on the nodes of the predecessor; undefined where nothing is wrong with them. */
  readonly told: { readonly reason: string; readonly note: RegExp } | undefined;
  /** What a new node gets. */
  readonly next: readonly string[];
}

const changes: readonly Change[] = [
  {
    title: 'changed',
    from: dual,
    to: '10.9.0.0/16,fd00:10:9::/56',
    told: {
      reason: 'PodCIDROutsidePools',
      note: /^podCIDRs "10\.244\.\d\.0\/24" and "fd00:10:244:\w*:*\/64" are in no pool\. /,
    },
    next: ['10.9.0.0/24', 'fd00:10:9::/64'],
  },
  {
    title: 'shortened',
    from: dual,
    to: '10.244.128.0/17,fd00:10:244::/56',
    told: {
      reason: 'PodCIDROutsidePools',
      note: /^podCIDR "10\.244\.\d\.0\/24" is in no pool\. The only pool is cluster-cidr \(10\.244\.128\.0\/17, fd00:10:244::\/56\)\. /,
    },
    next: ['10.244.128.0/24', 'fd00:10:244:3::/64'],
  },
  {
    title: 'extended',
    from: dual,
    to: '10.244.0.0/15,fd00:10:244::/48',
    told: undefined,
    next: ['10.244.3.0/24', 'fd00:10:244:3::/64'],
  },
  {
    title: 'reordered',
    from: dual,
    to: 'fd00:10:244::/56,10.244.0.0/16',
    told: {
      reason: 'PodCIDRFamilyOrder',
      note: /^podCIDRs has IPv4 first, but pool cluster-cidr \(fd00:10:244::\/56, 10\.244\.0\.0\/16\) has IPv6 first\. /,
    },
    next: ['fd00:10:244:3::/64', '10.244.3.0/24'],
  },
  {
    title: 'reduced to one family',
    from: dual,
    to: '10.244.0.0/16',
    told: {
      reason: 'PodCIDROutsidePools',
      note: /^podCIDR "fd00:10:244:\w*:*\/64" is in no pool\. The only pool is cluster-cidr \(10\.244\.0\.0\/16\)\. /,
    },
    next: ['10.244.3.0/24'],
  },
  {
    title: 'given a second family',
    from: '10.244.0.0/16',
    to: dual,
    told: {
      reason: 'PodCIDRFamilyMissing',
      note: /^podCIDRs has no IPv6 CIDR, but the pool cluster-cidr \(10\.244\.0\.0\/16, fd00:10:244::\/56\) has that family\. /,
    },
    next: ['10.244.3.0/24', 'fd00:10:244::/64'],
  },
];

describe('a cluster CIDR', function () {
  const { open } = useInstallation();
  this.timeout(120_000);

  for (const { title, from, to, told, next } of changes) {
    const outcome =
      told === undefined ? 'does no harm' : 'is told on each node that it is wrong for';
    it(`that was ${title} ${outcome}, and the manager goes on`, async () => {
      await using scenario = await open();
      const old = numbered('old', 3);
      await registerAll(scenario, old);
      // Outside all of these ranges, and looked at after the old nodes: once it is reported, they would be, too.
      await registerWith(scenario, 'stray', ['192.168.0.0/24']);
      const before = await scenario.start({ flags: allocating(from) });
      await untilAllocated(scenario, old);
      assert.deepEqual(await before.stop(), { code: 0, signal: null }, before.tail);
      const kept = old.map((name) => podCIDRsOf(scenario.node(name)));

      const after = await scenario.start({ flags: allocating(to) });
      await scenario.register({ name: 'new' });
      await untilAllocated(scenario, ['new']);
      await after.says(/^Found a problem with pod CIDRs$/, { node: 'stray' });
      for (const name of told === undefined ? [] : old) {
        const { note, type } = await scenario.untilSaid(name, told?.reason ?? '');
        assert.equal(type, 'Warning');
        assert.match(note, told?.note ?? /^$/);
      }
      assert.deepEqual(await after.stop(), { code: 0, signal: null }, after.tail);
      const reasons = old.flatMap((name) => scenario.eventsOf(name).map(({ reason }) => reason));
      assert.deepEqual(reasons, told === undefined ? [] : old.map(() => told.reason));
      assert.deepEqual(
        old.map((name) => podCIDRsOf(scenario.node(name))),
        kept,
      );
      assert.deepEqual(podCIDRsOf(scenario.node('new')), next);
      assertNoneShared(scenario);
    });
  }
});
