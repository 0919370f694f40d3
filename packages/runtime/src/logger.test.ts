import assert from 'node:assert/strict';
import { CcmError } from './failure.ts';
import { createLogger, type Logger, type LogLevel } from './logger.ts';
import { virtualClock } from './testing/virtual-clock.ts';

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

  it('writes each field once, even if a child or a call repeats its name', () => {
    const lines: string[] = [];
    const clock = virtualClock({ startMs: 0 });
    const logger = createLogger({ clock, destination: { write: (line) => void lines.push(line) } });
    const child = logger.child({ controller: 'a', provider: 'b' }).child({ controller: 'c' });
    child.info({ provider: 'd', node: 'e' }, 'Logged');
    assert.deepEqual(lines, [
      '{"level":"info","ts":"1970-01-01T00:00:00.000Z","controller":"c","provider":"b","node":"e","msg":"Logged"}\n',
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

  it('redacts the paths that its owner lists', () => {
    const { logger, lines } = recordingLogger({ redact: ['cloud.tenant'] });
    logger.info({ cloud: { tenant: 'hunter2', region: 'here' } }, 'Called cloud');
    assert.deepEqual(lines[0]?.['cloud'], { tenant: '[redacted]', region: 'here' });
  });

  it('redacts secrets by the names of their fields, at any depth', () => {
    const { logger, lines } = recordingLogger();
    const secret = 'hunter2';
    const headers = { AUTHORIZATION: secret, 'Set-Cookie': secret, accept: 'json' };
    const failed = Object.assign(new Error('No answer'), { request: { headers } });
    const withJson = { toJSON: () => ({ client_secret: secret, name: 'me' }) };
    logger.child({ credentials: { SecretAccessKey: secret } }).info(
      {
        token: secret,
        request: { headers },
        kubeconfig: { users: [{ user: { token: secret, 'client-key-data': secret } }] },
        rawHeaders: ['X-Api-Key', secret, 'Accept', 'json'],
        err: new AggregateError([failed], 'Gave up', { cause: failed }),
        nested: failed,
        withJson,
      },
      'Sent request',
    );
    const text = JSON.stringify(lines);
    assert.doesNotMatch(text, /hunter2/);
    assert.match(text, /"accept":"json".*"Accept","json".*"name":"me"/);
  });

  it('writes the stack of an unexpected error, but not of an expected failure and its expected causes', () => {
    const { logger, lines } = recordingLogger();
    const facts = { code: 'ConnectionFailed', retry: 'backoff', effect: 'none' } as const;
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const both = Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' });
    logger.warn({ err: new CcmError('No connection', { ...facts, cause: both }) }, 'Failed');
    assert.doesNotMatch(JSON.stringify(lines), /stack/);
    const expected = [/"No connection"/, /"ConnectionFailed"/, /"ECONNREFUSED"/, /"refused"/];
    for (const text of expected) assert.match(JSON.stringify(lines), text);
    lines.length = 0;
    logger.error({ err: new CcmError('x', { ...facts, cause: new TypeError('y') }) }, 'Failed');
    logger.error({ err: new TypeError('z', { cause: refused }) }, 'Failed');
    const [wrapped, bare] = lines.map(({ err }) => Object(err));
    assert.deepEqual([wrapped.stack, typeof wrapped.cause.stack], [undefined, 'string']);
    assert.equal(typeof bare.stack, 'string');
  });

  it('writes the line even if a field is unreadable, too deep or named like one of the logger’s own', () => {
    const { logger, lines } = recordingLogger();
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const unreadable = {
      get field(): never {
        throw new Error('no');
      },
    };
    logger.info({ cycle, unreadable, level: 9, when: new Date(0) }, 'Went on');
    assert.equal(lines[0]?.['unreadable'], '[unreadable]');
    assert.deepEqual([lines[0]?.['level'], lines[0]?.['level_']], ['info', 9]);
    assert.equal(lines[0]?.['when'], '1970-01-01T00:00:00.000Z');
  });

  it('shows an error with its code and its cause', () => {
    const { logger, lines } = recordingLogger();
    const cause = Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
    logger.error({ err: new Error('Patching node', { cause }) }, 'Gave up');
    const text = JSON.stringify(lines);
    assert.match(text, /Patching node/);
    assert.match(text, /"code":"ECONNRESET"/);
  });

  it('changes the level of its parents and children, including existing ones', () => {
    const { logger, lines } = recordingLogger();
    const child = logger.child({ controller: 'cloud-node' });
    const takeMessages = (): unknown[] => lines.splice(0).map(({ msg }) => msg);
    const logAll = (): void => {
      for (const each of [logger, child, child.child({ node: 'a' })]) each.debug({}, 'Why');
    };
    logAll();
    assert.deepEqual(takeMessages(), []);
    child.setLevel?.('debug');
    logAll();
    assert.deepEqual(takeMessages(), ['Why', 'Why', 'Why']);
    logger.setLevel?.('info');
    logAll();
    assert.deepEqual(takeMessages(), []);
  });
});
