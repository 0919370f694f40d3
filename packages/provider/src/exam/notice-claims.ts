/** Claims about `watch`, for providers that have it: it reports each change, and nothing else. */
import assert from 'node:assert/strict';
import type { InstanceKey } from '../plug/index.ts';
import { assertFound, type Claim, dualStack, lookUpOne, nodeOf } from './claim.ts';
import type { Lab } from './lab.ts';

export const noticeClaims: readonly Claim[] = [
  {
    name: 'with watch: reports an instance that appears, changes, stops or disappears',
    async check(lab) {
      if (lab.provider.watch === undefined) return;
      const watch = watchLab(lab);
      const { providerID } = await lab.create(dualStack('exam-a'));
      const key = lab.provider.identify(providerID) ?? '';
      await assertTold(lab, watch, { key, change: 'appeared' });
      await lab.readdress('exam-a', dualStack('exam-a', 9).addresses);
      await assertTold(lab, watch, { key, change: 'got other addresses' });
      await lab.stop('exam-a');
      await assertTold(lab, watch, { key, change: 'was stopped' });
      await lab.remove('exam-a');
      await assertTold(lab, watch, { key, change: 'was removed' });
    },
  },
  {
    name: 'with watch: reports nothing while nothing changes',
    async check(lab) {
      if (lab.provider.watch === undefined) return;
      const { providerID } = await lab.create(dualStack('exam-a'));
      await awaitNotices(lab);
      const { heard } = watchLab(lab);
      for (let times = 0; times < 3; times++) {
        await lookUpOne(lab, nodeOf('exam-a', providerID));
        await awaitNotices(lab);
      }
      assert.deepEqual(heard, [], 'watch told of a change that was none');
    },
  },
  {
    name: 'with watch: shows a reported change in all later data',
    async check(lab) {
      if (lab.provider.watch === undefined) return;
      const { providerID } = await lab.create(dualStack('exam-a'));
      const node = nodeOf('exam-a', providerID);
      // This fills a cache, if the provider has one.
      await lookUpOne(lab, node, 60_000);
      await awaitNotices(lab);
      const { heard } = watchLab(lab);
      const after = await lab.readdress('exam-a', dualStack('exam-a', 9).addresses);
      await awaitNotices(lab);
      const toldAtMs = heard.at(-1)?.atMs ?? lab.clock.monotonic();
      const maxAgeMs = lab.clock.monotonic() - toldAtMs;
      assertFound(await lookUpOne(lab, node, maxAgeMs), after);
    },
  },
  {
    name: 'with watch: reports nothing once its signal has aborted',
    async check(lab) {
      if (lab.provider.watch === undefined) return;
      const { heard, stop } = watchLab(lab);
      stop();
      await lab.create(dualStack('exam-a'));
      await awaitNotices(lab);
      assert.deepEqual(heard, [], 'watch told of a change to somebody who had left');
    },
  },
];

interface Watch {
  readonly heard: { readonly keys: readonly InstanceKey[]; readonly atMs: number }[];
  readonly stop: () => void;
}

function watchLab({ provider, clock }: Lab): Watch {
  const heard: Watch['heard'] = [];
  const stopping = new AbortController();
  const onChange = (keys: readonly InstanceKey[]): void =>
    void heard.push({ keys, atMs: clock.monotonic() });
  provider.watch?.(onChange, { signal: stopping.signal });
  return { heard, stop: () => stopping.abort() };
}

async function awaitNotices(lab: Lab): Promise<void> {
  assert(
    lab.awaitNotices !== undefined,
    'the lab has no awaitNotices, although the provider has watch',
  );
  await lab.awaitNotices();
}

/** An empty list reports every instance. */
async function assertTold(
  lab: Lab,
  { heard }: Watch,
  { key, change }: { readonly key: InstanceKey; readonly change: string },
): Promise<void> {
  await awaitNotices(lab);
  const isTold = heard.some(({ keys }) => keys.length === 0 || keys.includes(key));
  assert(isTold, `watch did not tell of an instance that ${change}`);
  heard.length = 0;
}
