import assert from 'node:assert/strict';
import type { StoredObject } from '../store/index.ts';
import { EventLines } from './event-lines.ts';

const object: StoredObject = { metadata: { name: 'n', uid: 'u', creationTimestamp: '' } };

function someLines(count: number) {
  let isDone = false;
  const lines = new EventLines({
    initial: Array.from({ length: count }, () => object),
    textOf: (type, { metadata }) => `${type} ${metadata.name}\n`,
    onDone: () => {
      isDone = true;
    },
  });
  return { lines, isDone: () => isDone };
}

async function read(lines: EventLines): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of lines) chunks.push(Buffer.from(chunk).toString());
  return chunks;
}

const aText = { kind: 'text', text: 'x\n' } as const;

describe('the events of a watch', () => {
  it('come many to a chunk, existing objects before changes, and then end', async () => {
    const { lines, isDone } = someLines(3);
    lines.push(aText);
    lines.end();
    lines.push(aText);
    assert.deepEqual(await read(lines), ['ADDED n\nADDED n\nADDED n\nx\n']);
    assert.ok(isDone());
  });

  it('come in chunks of bounded size', async () => {
    const { lines } = someLines(100_000);
    lines.end();
    const chunks = await read(lines);
    assert.ok(chunks.length > 5 && chunks.every(({ length }) => length < 65 * 1024));
  });

  it('are cut off for a reader that falls too far behind, however long the initial list was', async () => {
    const { lines } = someLines(5);
    for (let i = 0; i < 200_000; i++) lines.push(aText);
    const text = (await read(lines)).join('');
    assert.equal(text.split('\n').length - 1, 5 + 100_001);
  });

  it('wake a waiting reader, and break off immediately on a failure', async () => {
    const { lines, isDone } = someLines(0);
    const reading = read(lines);
    lines.push(aText);
    await Promise.resolve();
    lines.push(aText);
    lines.fail(new Error('reset'));
    await assert.rejects(reading, /reset/);
    assert.ok(isDone());
  });
});
