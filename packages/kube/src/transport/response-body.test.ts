import assert from 'node:assert/strict';
import { afterTurn } from '@tandem/runtime';
import * as fc from 'fast-check';
import { ResponseBody } from './response-body.ts';

const chunk = new Uint8Array(100 * 1024);

function setUp() {
  const calls: string[] = [];
  const body = new ResponseBody({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abandon: () => calls.push('abandon'),
  });
  return { body, calls };
}

describe('response body', () => {
  it('delivers the chunks as they arrive, and ends', async () => {
    const { body, calls } = setUp();
    body.push(chunk);
    const reading = readBytes(body);
    body.push(chunk);
    body.finish();
    assert.equal((await reading).length, 2 * chunk.length);
    assert.deepEqual(calls, []);
  });

  it('delivers the chunks of one turn together, in order', async () => {
    const { body } = setUp();
    const reader = body[Symbol.asyncIterator]();
    const first = reader.next();
    for (const text of ['ab', 'c', 'def']) body.push(Buffer.from(text));
    assert.equal(String((await first).value), 'abcdef');
    const second = reader.next();
    body.push(Buffer.from('g'));
    assert.equal(String((await second).value), 'g');
  });

  it('delivers every byte once, however chunks are cut and whenever they arrive', async () => {
    const cuts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(cuts, { maxLength: 6 }), async (turns) => {
        const { body } = setUp();
        const reading = readBytes(body);
        for (const pieces of turns) {
          for (const piece of pieces) body.push(piece);
          await new Promise<void>(afterTurn);
        }
        body.finish();
        assert.deepEqual(await reading, Buffer.concat(turns.flat()));
      }),
    );
  });

  it('pauses the connection while its chunks are not read, and resumes it once', async () => {
    const { body, calls } = setUp();
    for (let i = 0; i < 3; i++) body.push(chunk);
    assert.deepEqual(calls, ['pause']);
    const { value } = await body[Symbol.asyncIterator]().next();
    assert.equal(value?.length, 3 * chunk.length);
    assert.deepEqual(calls, ['pause', 'resume']);
  });

  it('delivers all chunks before it reports a failure, also to a waiting reader', async () => {
    const { body } = setUp();
    const reader = body[Symbol.asyncIterator]();
    const first = reader.next();
    body.push(chunk);
    body.push(chunk);
    body.fail(new Error('reset'));
    assert.equal((await first).value?.length, 2 * chunk.length);
    await assert.rejects(reader.next(), /reset/);
  });

  it('reports an abort at once', async () => {
    const { body } = setUp();
    body.push(chunk);
    body.abort(new Error('stop'));
    await assert.rejects(readBytes(body), /stop/);
    const waiting = setUp();
    const reading = readBytes(waiting.body);
    waiting.body.push(chunk);
    waiting.body.abort(new Error('stop'));
    await assert.rejects(reading, /stop/);
  });

  it('wakes a waiting reader on a failure', async () => {
    const { body } = setUp();
    const reading = readBytes(body);
    body.fail(new Error('reset'));
    await assert.rejects(reading, /reset/);
  });

  it('ends the connection if the reader stops early, but not if the body has ended', async () => {
    const { body, calls } = setUp();
    body.push(chunk);
    for await (const _ of body) break;
    assert.deepEqual(calls, ['abandon']);
    const whole = setUp();
    whole.body.push(chunk);
    whole.body.finish();
    for await (const _ of whole.body) break;
    assert.deepEqual(whole.calls, []);
  });
});

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of body) chunks.push(bytes);
  return Buffer.concat(chunks);
}
