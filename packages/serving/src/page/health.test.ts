import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import type { HealthCheck, HealthOutcome } from '../pages.ts';
import { checkReply, healthReply } from './health.ts';
import { createHealthLog } from './health-log.ts';

const good: HealthCheck = { name: 'good', check: () => ({ ok: true }) };
const bad: HealthCheck = { name: 'bad', check: () => ({ ok: false, reason: 'a secret reason' }) };
const thrower: HealthCheck = {
  name: 'thrower',
  check: () => {
    throw new Error('a secret reason');
  },
};
const warned: HealthCheck = { name: 'warned', check: () => ({ ok: true, warning: 'old' }) };

function reply(checks: readonly HealthCheck[], query = ''): [number, string] {
  const { status, body } = healthReply({
    page: 'readyz',
    checks,
    query: new URLSearchParams(query),
    observe: () => undefined,
  });
  return [status, body];
}

describe('a health page', () => {
  const cases: readonly { name: string; got: [number, string]; want: [number, string] }[] = [
    { name: 'is "ok" when all checks pass', got: reply([good]), want: [200, 'ok'] },
    {
      name: 'names every check with verbose',
      got: reply([good, warned], 'verbose'),
      want: [200, '[+]good ok\n[+]warned ok (warning: old)\nreadyz check passed\n'],
    },
    {
      name: 'is verbose with any value',
      got: reply([good], 'verbose=0'),
      want: [200, '[+]good ok\nreadyz check passed\n'],
    },
    {
      name: 'always names failed checks, and withholds the reason',
      got: reply([good, bad, thrower]),
      want: [
        500,
        '[+]good ok\n[-]bad failed: reason withheld\n[-]thrower failed: reason withheld\n' +
          'readyz check failed\n',
      ],
    },
    {
      name: 'passes although an excluded check fails',
      got: reply([good, bad], 'verbose&exclude=bad'),
      want: [200, '[+]good ok\n[+]bad excluded: ok\nreadyz check passed\n'],
    },
    {
      name: 'names excluded checks that do not exist',
      got: reply([good], 'verbose&exclude=z&exclude=y'),
      want: [
        200,
        '[+]good ok\nwarn: some health checks cannot be excluded: no matches for "y","z"\n' +
          'readyz check passed\n',
      ],
    },
    { name: 'is "ok" without checks', got: reply([]), want: [200, 'ok'] },
  ];
  for (const { name, got, want } of cases) it(name, () => assert.deepEqual(got, want));

  it('of one check gives the reason, because it needs permission', () => {
    const seen: [string, HealthOutcome][] = [];
    const observe = (name: string, outcome: HealthOutcome): void => void seen.push([name, outcome]);
    assert.equal(checkReply(good, observe).body, 'ok');
    const failed = checkReply(bad, observe);
    assert.deepEqual(
      [failed.status, failed.body],
      [500, 'internal server error: a secret reason\n'],
    );
    assert.deepEqual(
      seen.map(([name, { ok }]) => [name, ok]),
      [
        ['good', true],
        ['bad', false],
      ],
    );
  });
});

describe('the log of health checks', () => {
  it('has a failure once with its reason, and its end; the metrics count every check', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const health = createHealthLog(createLogger({ clock: virtualClock(), destination }));
    const fail: HealthOutcome = { ok: false, reason: 'gone' };
    for (const outcome of [{ ok: true }, fail, fail, { ok: true }, { ok: true }] as const) {
      health.observe('livez', 'lease', outcome);
    }
    health.observe('readyz', 'lease', fail);
    const entries = lines.map((line) => JSON.parse(line));
    assert.deepEqual(
      entries.map(({ level, msg, page, check, reason }) => [level, msg, page, check, reason]),
      [
        ['warn', 'Health check failed', 'livez', 'lease', 'gone'],
        ['info', 'Health check passed again', 'livez', 'lease', undefined],
        ['warn', 'Health check failed', 'readyz', 'lease', 'gone'],
      ],
    );
    const text = await health.render();
    assert.match(text, /^kubernetes_healthcheck\{name="lease",type="livez"\} 1$/m);
    assert.match(text, /^kubernetes_healthcheck\{name="lease",type="readyz"\} 0$/m);
    const total =
      /^kubernetes_healthchecks_total\{name="lease",type="livez",status="(\w+)"\} (\d)$/gm;
    const counts = [...text.matchAll(total)].map(([, status, count]) => `${status} ${count}`);
    assert.deepEqual(counts.toSorted(), ['error 2', 'success 3']);
  });
});
