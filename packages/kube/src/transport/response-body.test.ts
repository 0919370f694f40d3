import assert from 'node:assert/strict';
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

async function readAll(body: ResponseBody): Promise<number> {
  let size = 0;
  for await (const part of body) size += part.length;
  return size;
}

describe('response body', () => {
  it('gives the chunks as they come, and ends', async () => {
    const { body, calls } = setUp();
    body.push(chunk);
    const reading = readAll(body);
    body.push(chunk);
    body.finish();
    assert.equal(await reading, 2 * chunk.length);
    assert.deepEqual(calls, []);
  });

  it('pauses the connection while nobody reads, and resumes it once', async () => {
    const { body, calls } = setUp();
    for (let i = 0; i < 3; i++) body.push(chunk);
    assert.deepEqual(calls, ['pause']);
    const reader = body[Symbol.asyncIterator]();
    await reader.next();
    await reader.next();
    assert.deepEqual(calls, ['pause', 'resume']);
  });

  it('gives what had arrived before it tells a failure', async () => {
    const { body } = setUp();
    body.push(chunk);
    body.fail(new Error('reset'));
    const reader = body[Symbol.asyncIterator]();
    assert.equal((await reader.next()).done, false);
    await assert.rejects(reader.next(), /reset/);
  });

  it('tells an abort at once', async () => {
    const { body } = setUp();
    body.push(chunk);
    body.abort(new Error('stop'));
    await assert.rejects(readAll(body), /stop/);
  });

  it('wakes a reader that waits', async () => {
    const { body } = setUp();
    const reading = readAll(body);
    body.fail(new Error('reset'));
    await assert.rejects(reading, /reset/);
  });

  it('ends the connection when the reader has enough, and not when all was read', async () => {
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
