import assert from 'node:assert/strict';
import { identity, SelfCheckWorld, unreachable } from './self-check.fixture.ts';

const waiting = 'Found another manager holding the Lease';
const expired = 'Found an expired Lease that was not released';
const beside = 'Found another active manager while leader election is off';

const live = held({ renewTime: '2026-03-01T11:59:58.000000Z' });
const dead = held({ renewTime: '2026-02-01T00:00:00.000000Z' });
const withoutElection = ['--leader-elect=false'];

const cases: { name: string; args?: string[]; lease: object | Error; want: string[] }[] = [
  { name: 'another manager leads', lease: live, want: [waiting] },
  { name: 'another manager led until it died', lease: dead, want: [expired] },
  { name: 'it was released', lease: held({ holderIdentity: '' }), want: [] },
  { name: 'this manager holds it', lease: held({ holderIdentity: identity }), want: [] },
  { name: 'it cannot be read', lease: unreachable(), want: [] },
  { name: 'it has another form', lease: { spec: 7 }, want: [] },
  { name: 'this manager is a dry run', args: ['--dry-run'], lease: live, want: [] },
  {
    name: 'two managers work at the same time',
    args: withoutElection,
    lease: live,
    want: [beside],
  },
  { name: 'another manager worked until it died', args: withoutElection, lease: dead, want: [] },
];

describe('the check of the Lease', () => {
  for (const { name, args = [], lease, want } of cases) {
    it(`logs ${want.length === 0 ? 'nothing' : 'the current or last holder'} when ${name}`, async () => {
      const world = new SelfCheckWorld();
      world.lease = lease;
      await world.check(args, 10_000);
      assert.deepEqual(
        world.log.map(({ msg }) => msg),
        want,
      );
      assert.ok(world.hasEnded);
    });
  }

  it('logs the holder, when it acquired the Lease and when it last renewed it', async () => {
    const world = new SelfCheckWorld();
    world.lease = live;
    await world.check([], 10_000);
    const [line] = world.log;
    assert.equal(line?.level, 'info');
    assert.equal(line['lease'], 'kube-system/cloud-controller-manager');
    assert.equal(line['holder'], 'other_2');
    assert.equal(line['acquireTime'], '2026-03-01T08:00:00.000000Z');
    assert.equal(line['renewTime'], '2026-03-01T11:59:58.000000Z');
  });

  it('logs the holder of an expired Lease as its last holder', async () => {
    const world = new SelfCheckWorld();
    world.lease = dead;
    await world.check([], 10_000);
    const [line] = world.log;
    assert.deepEqual([line?.['lastHolder'], line?.['holder']], ['other_2', undefined]);
    assert.equal(line?.['renewTime'], '2026-02-01T00:00:00.000000Z');
  });

  it('uses the clock of the API server when this machine’s is wrong', async () => {
    const world = new SelfCheckWorld();
    world.serverAheadMs = -90_000;
    world.lease = held({ renewTime: '2026-03-01T11:58:28.000000Z' });
    await world.check([], 10_000);
    assert.ok(world.log.some(({ msg }) => msg === waiting));
  });

  it('warns about another manager with advice when leader election is off', async () => {
    const world = new SelfCheckWorld();
    world.lease = live;
    await world.check(withoutElection, 10_000);
    assert.equal(world.log[0]?.level, 'warn');
    assert.match(String(world.log[0]?.['fix']), /--leader-elect/);
  });
});

function held(spec: object): object {
  return {
    kind: 'Lease',
    metadata: { resourceVersion: '7' },
    spec: {
      holderIdentity: 'other_2',
      acquireTime: '2026-03-01T08:00:00.000000Z',
      leaseDurationSeconds: 15,
      ...spec,
    },
  };
}
