import assert from 'node:assert/strict';
import { memoize } from './memoize.ts';

function counting() {
  const asked: string[] = [];
  const lengthOf = memoize((text) => {
    asked.push(text);
    return text.length;
  });
  return { asked, lengthOf };
}

describe('a memoized function', () => {
  it('computes its result once for a text that comes again', () => {
    const { asked, lengthOf } = counting();
    assert.deepEqual(['ab', 'abc', 'ab', ''].map(lengthOf), [2, 3, 2, 0]);
    assert.deepEqual(asked, ['ab', 'abc', '']);
  });

  it('forgets results when many different texts come, and still answers', () => {
    const { asked, lengthOf } = counting();
    lengthOf('first');
    for (let index = 0; index < 1000; index++) lengthOf(String(index));
    assert.equal(lengthOf('first'), 5);
    assert.equal(asked.filter((text) => text === 'first').length, 2);
  });

  it('remembers no long text', () => {
    const { asked, lengthOf } = counting();
    const long = 'x'.repeat(10_000);
    assert.deepEqual([lengthOf(long), lengthOf(long)], [10_000, 10_000]);
    assert.equal(asked.length, 2);
  });

  it('computes again after an error', () => {
    let attempts = 0;
    const refuse = memoize(() => {
      attempts += 1;
      throw new Error('refused');
    });
    for (const _ of [1, 2]) assert.throws(() => refuse('a'), /refused/);
    assert.equal(attempts, 2);
  });
});
