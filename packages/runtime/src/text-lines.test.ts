import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CcmError } from './failure.ts';
import { createLogger, type LogLevel } from './logger.ts';
import { virtualClock } from './testing/index.ts';
import { formatLine, textLines } from './text-lines.ts';

const pid = 16_399;

function recording({ format, level }: { format: 'json' | 'text'; level: LogLevel }) {
  const lines: string[] = [];
  const clock = virtualClock({ startMs: Date.UTC(2026, 10, 16, 10, 54, 51, 123) });
  const destination = { write: (line: string) => lines.push(line) };
  const written = format === 'text' ? textLines(destination, pid) : destination;
  return { logger: createLogger({ clock, level, destination: written }), lines };
}

describe('log lines in text', () => {
  it('have the severity, time, process, source and message, then the fields', () => {
    const { logger, lines } = recording({ format: 'text', level: 'trace' });
    const child = logger.child({ controller: 'cloud-node' });
    child.info({ node: 'a', count: 3, isReady: true, none: null }, 'Removed uninitialized taint');
    child.warn({}, 'Waited');
    child.error({ IPs: ['10.0.0.1', 'fd00::1'], map: { a: 1 } }, 'Refused');
    child.debug({}, 'Decided');
    child.trace({}, 'Sent request');
    assert.deepEqual(lines, [
      'I1116 10:54:51.123000   16399 cloud-node:0] "Removed uninitialized taint" controller="cloud-node" node="a" count=3 isReady=true none=null\n',
      'W1116 10:54:51.123000   16399 cloud-node:0] "Waited" controller="cloud-node"\n',
      'E1116 10:54:51.123000   16399 cloud-node:0] "Refused" controller="cloud-node" IPs="[\\"10.0.0.1\\",\\"fd00::1\\"]" map="{\\"a\\":1}"\n',
      'I1116 10:54:51.123000   16399 cloud-node:0] "Decided" controller="cloud-node" v=4\n',
      'I1116 10:54:51.123000   16399 cloud-node:0] "Sent request" controller="cloud-node" v=6\n',
    ]);
  });

  it('name the component if no controller is set, and the manager if neither is a plain word', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    logger.info({}, 'Started');
    logger.child({ component: 'serving' }).info({}, 'Opened');
    logger.child({ controller: 'a] b' }).info({ err: new Error('no') }, 'Went on');
    const starts = lines.map((line) => line.slice(0, line.indexOf('"')));
    assert.deepEqual(
      starts,
      ['manager', 'serving', 'manager'].map((name) => `I1116 10:54:51.123000   16399 ${name}:0] `),
    );
  });

  it('leave out process and source if no process ID is given', () => {
    const json = '{"level":"warn","ts":"2026-11-16T10:54:51.123Z","node":"a","msg":"Lost it"}\n';
    assert.equal(formatLine(json), 'W1116 10:54:51.123000 "Lost it" node="a"\n');
  });

  it('show an error with its code and its causes, without a stack', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const reset = Object.assign(new Error('connection\nreset'), { code: 'ECONNRESET' });
    const err = new CcmError('Patching node', {
      code: 'WriteFailed',
      retry: 'backoff',
      effect: 'unknown',
      cause: new Error('sending', { cause: reset }),
    });
    logger.error({ err }, 'Gave up');
    assert.match(
      lines[0] ?? '',
      / err="Patching node \(WriteFailed\): sending: connection\\nreset \(ECONNRESET\)"\n$/,
    );
  });

  it('show an error without a message by its inner errors, or else by its type', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const failures = ['connect ::1', 'connect 127.0.0.1'].map((message) => new Error(message));
    const err = Object.assign(new AggregateError(failures), { code: 'ECONNREFUSED' });
    logger.error({ err }, 'Gave up');
    logger.error({ err: new RangeError() }, 'Gave up');
    assert.match(lines[0] ?? '', / err="connect ::1; connect 127.0.0.1 \(ECONNREFUSED\)"\n$/);
    assert.match(lines[1] ?? '', / err="RangeError"\n$/);
  });

  it('show an object that only looks like an error with all its fields', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    logger.info({ event: { type: 'Warning', message: 'm', count: 2 } }, 'Recorded');
    assert.match(lines[0] ?? '', /Warning.*count/);
  });

  it('contain no secrets', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    logger.info(
      { token: 'hunter2', err: Object.assign(new Error('no'), { password: 'hunter2' }) },
      'x',
    );
    assert.doesNotMatch(lines.join(), /hunter2/);
  });

  it('are written even if a field cannot be read', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const fields = {
      get node(): never {
        throw new Error('no');
      },
    };
    logger.child({ controller: 'a' }).info(fields, 'Went on');
    assert.deepEqual(lines, ['I1116 10:54:51.123000   16399 a:0] "Went on" controller="a"\n']);
  });

  it('name a cause once, however many errors repeat it', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const missing = Object.assign(new Error("ENOENT: no such file, open '/nope'"), {
      code: 'ENOENT',
    });
    const inner = new Error('invalid YAML: X', { cause: new Error('a tab in line 7') });
    logger.info({ err: new Error('Cannot read /nope (ENOENT)', { cause: missing }) }, 'One');
    logger.info({ err: new Error('invalid YAML: X', { cause: inner }) }, 'Two');
    assert.match(lines[0] ?? '', /err="Cannot read \/nope \(ENOENT\)"\n$/);
    assert.match(lines[1] ?? '', /err="invalid YAML: X: a tab in line 7"\n$/);
  });

  it('are not written below the level', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    logger.debug({}, 'Decided');
    assert.deepEqual(lines, []);
  });

  it('follow a change of the level in a parent and its existing child', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const child = logger.child({ controller: 'cloud-node' });
    const countLines = (): number => {
      lines.length = 0;
      for (const each of [logger, child]) each.debug({ node: 'a' }, 'Why');
      for (const each of [logger, child]) each.debug({ IPs: ['10.0.0.1'] }, 'Why');
      return lines.length;
    };
    assert.equal(countLines(), 0);
    child.setLevel?.('debug');
    assert.equal(countLines(), 4);
    logger.setLevel?.('info');
    assert.equal(countLines(), 0);
  });

  it('have the same content as the JSON lines, for any fields', () => {
    const text = recording({ format: 'text', level: 'info' });
    const json = recording({ format: 'json', level: 'info' });
    const name = fc.oneof(
      fc.constantFrom('node', 'token', 'client_secret', 'level', 'ts', 'msg', 'err'),
      fc.string().filter((word) => !(word in {}) && word !== 'toJSON'),
    );
    const fact = fc.oneof(
      fc.string(),
      fc.double(),
      fc.constantFrom(undefined, null, true, 10n, Number.NaN, Symbol('s'), () => {}, new Date(0)),
      fc.constantFrom(new Error('no'), { token: 'x', a: [1] }, ['token', 'x'], new Map()),
    );
    const facts = fc.dictionary(name, fact, { maxKeys: 3 });
    fc.assert(
      fc.property(facts, facts, facts, fc.string(), (...[own, more, fields, message]) => {
        for (const { logger } of [text, json]) {
          logger.child(own).child(more).info(fields, message);
        }
        assert.deepEqual(
          text.lines.splice(0),
          json.lines.splice(0).map((line) => formatLine(line, pid)),
        );
      }),
    );
  });

  it('are one line each, whatever they contain', () => {
    const { logger, lines } = recording({ format: 'text', level: 'info' });
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('\n', '\r', '\u2028', '\u0085', '\u001b[2J', '"'),
    );
    fc.assert(
      fc.property(text, text, text, (name, value, message) => {
        lines.length = 0;
        logger.child({ controller: value }).info({ [name]: value, err: new Error(value) }, message);
        assert.equal(lines.length, 1);
        // Collectors of control-plane logs match this prefix.
        assert.match(lines[0] ?? '', /^\w\d{4} \S*\s+\d+\s+[^ \]]+\] "/);
        // The end of the line is the only control character in it.
        const body = (lines[0] ?? '').slice(0, -1);
        assert.doesNotMatch(body, /[\p{Cc}\u2028\u2029]/u);
        assert.ok((lines[0] ?? '').endsWith('\n'));
      }),
    );
  });

  it('that are not JSON objects pass unchanged', () => {
    assert.equal(formatLine('not json'), 'not json\n');
    assert.equal(formatLine('[1]\n'), '[1]\n');
  });
});

describe('log lines in JSON', () => {
  it('have the level, time, fields and message', () => {
    const { logger, lines } = recording({ format: 'json', level: 'debug' });
    logger.debug({ node: 'a' }, 'Decided');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      [{ level: 'debug', ts: '2026-11-16T10:54:51.123Z', node: 'a', msg: 'Decided' }],
    );
  });
});
