import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { GatheredText } from './gathered-text.ts';

/** Keeps the chunks as they were handed over, as a stream with room does. */
function sinkThat(answer: 'has room' | 'drains') {
  const chunks: (string | Uint8Array)[] = [];
  const copies: string[] = [];
  return {
    chunks,
    copies,
    write(chunk: string | Uint8Array): boolean {
      chunks.push(chunk);
      copies.push(Buffer.from(chunk).toString());
      return answer === 'has room';
    },
    once: (_: 'drain', listener: () => void): void => queueMicrotask(listener),
  };
}

describe('GatheredText', () => {
  it('hands over all text in its order, a line longer than its room included', async () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary-ascii' }), fc.constantFrom('é', '😀'.repeat(40_000), '')),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const gathered = new GatheredText();
        const sink = sinkThat('drains');
        for (const text of given) {
          gathered.add(text);
          if (gathered.isFull) await gathered.writeTo(sink);
        }
        await gathered.writeTo(sink);
        assert.equal(sink.copies.join(''), given.join(''));
      }),
    );
  });

  it('never writes over what a sink may still hold', async () => {
    const gathered = new GatheredText();
    const sink = sinkThat('has room');
    for (const text of ['first', 'other']) {
      gathered.add(text);
      await gathered.writeTo(sink);
    }
    assert.deepEqual(
      sink.chunks.map((chunk) => Buffer.from(chunk).toString()),
      ['first', 'other'],
    );
  });

  it('uses its room again once the sink has drained', async () => {
    const gathered = new GatheredText();
    const sink = sinkThat('drains');
    for (const text of ['first', 'other']) {
      gathered.add(text);
      await gathered.writeTo(sink);
    }
    const [first, second] = sink.chunks;
    assert.ok(first instanceof Uint8Array && second instanceof Uint8Array);
    assert.equal(first.buffer, second.buffer);
  });
});
