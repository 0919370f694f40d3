import assert from 'node:assert/strict';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { virtualClock } from './virtual-clock.ts';

function recordingLogger(options: { level?: LogLevel; redact?: string[] } = {}): {
  logger: Logger;
  lines: Record<string, unknown>[];
} {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6) });
  return { logger: createLogger({ clock, destination, ...options }), lines };
}

describe('logger', () => {
  it('writes one JSON line with the time of the clock, level, message and fields', () => {
    const { logger, lines } = recordingLogger();
    logger.child({ controller: 'cloud-node' }).info({ node: 'a' }, 'Removed uninitialized taint');
    assert.deepEqual(lines, [
      {
        level: 'info',
        ts: '2026-01-02T03:04:05.006Z',
        controller: 'cloud-node',
        node: 'a',
        msg: 'Removed uninitialized taint',
      },
    ]);
  });

  it('drops lines below its level', () => {
    const { logger, lines } = recordingLogger({ level: 'warn' });
    logger.info({}, 'Quiet');
    logger.warn({}, 'Loud');
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['Loud'],
    );
  });

  it('redacts secrets by their path, at the top and inside objects', () => {
    const { logger, lines } = recordingLogger({ redact: ['cloud.apiKey'] });
    const secret = 'hunter2';
    logger.info(
      {
        token: secret,
        request: { headers: { authorization: secret, accept: 'json' } },
        user: { password: secret, 'client-key-data': secret, name: 'me' },
        cloud: { apiKey: secret, region: 'here' },
      },
      'Sent request',
    );
    assert.doesNotMatch(JSON.stringify(lines), /hunter2/);
    assert.match(JSON.stringify(lines), /"accept":"json".*"name":"me".*"region":"here"/);
  });

  it('shows an error with its code and its cause', () => {
    const { logger, lines } = recordingLogger();
    const cause = Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
    logger.error({ err: new Error('Patching node', { cause }) }, 'Gave up');
    const text = JSON.stringify(lines);
    assert.match(text, /Patching node/);
    assert.match(text, /"code":"ECONNRESET"/);
  });
});
