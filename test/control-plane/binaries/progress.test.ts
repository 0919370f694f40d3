/**
 * What people see of a long job, on a terminal and in a log, in virtual time.
 */
import assert from 'node:assert/strict';
import { type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { Progress } from './progress.ts';

describe('the progress of a build', () => {
  /** What is written in the first 100 seconds of a job that counts up to 10 in them. */
  async function written(isTTY: boolean): Promise<{ texts: string[]; clock: VirtualClock }> {
    const clock = virtualClock();
    const texts: string[] = [];
    const progress = new Progress({ isTTY, write: (text) => texts.push(text) }, clock);
    const done = Promise.withResolvers<void>();
    const describeIt = (): string => `${Math.floor(clock.monotonic() / 10_000)} of 10`;
    const followed = progress.follow(describeIt, done.promise);
    await clock.advance(100_000);
    done.resolve();
    await followed;
    progress.say(`Done in ${progress.elapsed()}.`);
    return { texts, clock };
  }

  it('is a line now and then in a log', async () => {
    const { texts } = await written(false);
    assert.equal(texts.length, 7);
    assert.equal(texts[0], '  1 of 10, 15s\n');
    assert.equal(texts[5], '  9 of 10, 1m30s\n');
    assert.equal(texts[6], 'Done in 1m40s.\n');
  });

  it('is one line on a terminal, which is gone at the end', async () => {
    const { texts } = await written(true);
    assert.ok(texts.slice(0, -1).every((text) => text.startsWith('\r') && !text.includes('\n')));
    assert.equal(texts.at(-2), '\r\u001b[K');
    assert.equal(texts.at(-1), 'Done in 1m40s.\n');
  });

  it('leaves no timer behind', async () => {
    assert.equal((await written(true)).clock.pending, 0);
  });
});
