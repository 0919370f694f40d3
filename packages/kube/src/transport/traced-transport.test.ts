import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { tracedTransport } from './traced-transport.ts';

describe('the trace of requests', () => {
  it('has method, path, status and duration, but neither headers nor bodies', async () => {
    const lines: string[] = [];
    const clock = virtualClock({ startMs: 0 });
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ clock, level: 'trace', destination });
    const traced = tracedTransport(
      {
        send: ({ path }) =>
          path === '/gone'
            ? Promise.reject(new Error('no way'))
            : Promise.resolve({ status: 201, headers: { secret: 'hunter2' }, body: nothing() }),
        close: () => Promise.resolve(),
      },
      { clock, logger },
    );
    const { signal } = new AbortController();
    const headers = { authorization: 'Bearer hunter2' };
    await traced.send({ method: 'POST', path: '/api', headers, body: 'hunter2', signal });
    await assert.rejects(traced.send({ method: 'GET', path: '/gone', headers, signal }));
    assert.match(lines[0] ?? '', /"method":"POST","path":"\/api","status":201,"durationMs":0/);
    assert.match(lines[1] ?? '', /"path":"\/gone".*no way/);
    assert.doesNotMatch(lines.join(''), /hunter2/);
  });
});

async function* nothing(): AsyncGenerator<Uint8Array> {}
