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

  it('writes no field twice, whoever names it again', () => {
    const lines: string[] = [];
    const clock = virtualClock({ startMs: 0 });
    const logger = createLogger({ clock, destination: { write: (line) => void lines.push(line) } });
    const child = logger.child({ controller: 'a', provider: 'b' }).child({ controller: 'c' });
    child.info({ provider: 'd', node: 'e' }, 'Said');
    assert.deepEqual(lines, [
      '{"level":"info","ts":"1970-01-01T00:00:00.000Z","controller":"c","provider":"b","node":"e","msg":"Said"}\n',
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

  it('redacts by path what its owner names', () => {
    const { logger, lines } = recordingLogger({ redact: ['cloud.tenant'] });
    logger.info({ cloud: { tenant: 'hunter2', region: 'here' } }, 'Asked cloud');
    assert.deepEqual(lines[0]?.['cloud'], { tenant: '[redacted]', region: 'here' });
  });

  it('redacts secrets by the names of their fields, wherever they stand', () => {
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

  it('gives no stack of what is expected to fail, nor of what caused it, and one of a mistake', () => {
    const { logger, lines } = recordingLogger();
    const facts = { code: 'ConnectionFailed', retry: 'backoff', effect: 'none' } as const;
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const both = Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' });
    logger.warn({ err: new CcmError('No connection', { ...facts, cause: both }) }, 'Failed');
    assert.doesNotMatch(JSON.stringify(lines), /stack/);
    const told = [/"No connection"/, /"ConnectionFailed"/, /"ECONNREFUSED"/, /"refused"/];
    for (const text of told) assert.match(JSON.stringify(lines), text);
    lines.length = 0;
    logger.error({ err: new CcmError('x', { ...facts, cause: new TypeError('y') }) }, 'Failed');
    logger.error({ err: new TypeError('z', { cause: refused }) }, 'Failed');
    const [wrapped, bare] = lines.map(({ err }) => Object(err));
    assert.deepEqual([wrapped.stack, typeof wrapped.cause.stack], [undefined, 'string']);
    assert.equal(typeof bare.stack, 'string');
  });

  it('logs on when a field cannot be read, is too deep or has a name of its own', () => {
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

  it('changes its level for all of its family, whoever was made before', () => {
    const { logger, lines } = recordingLogger();
    const child = logger.child({ controller: 'cloud-node' });
    const said = (): unknown[] => lines.splice(0).map(({ msg }) => msg);
    const sayAll = (): void => {
      for (const each of [logger, child, child.child({ node: 'a' })]) each.debug({}, 'Why');
    };
    sayAll();
    assert.deepEqual(said(), []);
    child.setLevel?.('debug');
    sayAll();
    assert.deepEqual(said(), ['Why', 'Why', 'Why']);
    logger.setLevel?.('info');
    sayAll();
    assert.deepEqual(said(), []);
  });
});
