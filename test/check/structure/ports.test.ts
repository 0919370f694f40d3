import assert from 'node:assert/strict';
import { brokenRules, violationsOf } from './sample.ts';

const path = 'packages/kube/src/sample.ts';

/** Each of these, on its own, gets around a port. */
const offenders: Readonly<Record<string, readonly string[]>> = {
  Clock: [
    'Date.now();',
    "Date['now']();",
    'Date[`now`]();',
    '(Date).now();',
    '(Date as Any).now();',
    '(Date satisfies Any).now();',
    '(<Any>Date).now();',
    'Date!.now();',
    '(globalThis!).Date.now();',
    '(globalThis?.Date).now();',
    'Date<Any>;',
    'export = Date;',
    'enum Start { At = Date.now() }',
    'namespace Start { Date.now(); }',
    'class Start { constructor(private at = Date.now()) {} }',
    'Date?.now();',
    'new Date();',
    'new Date(...parts);',
    'new Date;',
    'Date();',
    'const D = Date;',
    'const { now } = Date;',
    'run(Date);',
    'class Day extends Date {}',
    'globalThis.Date.now();',
    "globalThis['Date'].now();",
    'global.Date.now();',
    'globalThis.globalThis.Date.now();',
    'new globalThis.Date();',
    '(globalThis as Any).Date.now();',
    'performance.now();',
    'const { now } = performance;',
    'globalThis.performance.now();',
    'process.hrtime.bigint();',
    'process.uptime();',
    "import { hrtime } from 'node:process';",
    "import { uptime } from 'process';",
    'setTimeout(run, 1);',
    'globalThis.setTimeout(run, 1);',
    'promisify(setTimeout);',
    'const timers = { setTimeout };',
    'function wait(start = setTimeout) {}',
    'setInterval(run, 1);',
    'setImmediate(run);',
    'clearTimeout(timer);',
    'clearInterval(timer);',
    'clearImmediate(timer);',
    "import { setTimeout as wait } from 'node:timers';",
    "import { scheduler } from 'node:timers/promises';",
    "import * as t from 'node:timers';",
    "import t from 'timers';",
    "export { setTimeout as wait } from 'node:timers';",
    "await import('node:timers/promises');",
    "require('timers');",
    "process.getBuiltinModule('node:timers');",
    "import 'node:perf_hooks';",
    'AbortSignal.timeout(5);',
    'const { timeout } = AbortSignal;',
    'Temporal.Now.instant();',
  ],
  Random: [
    'Math.random();',
    "Math['random']();",
    'const { random } = Math;',
    'globalThis.Math.random();',
    'crypto.getRandomValues(bytes);',
    'globalThis.crypto.getRandomValues(bytes);',
    'run(crypto);',
    "import { randomBytes } from 'node:crypto';",
    "import { randomInt as dice } from 'crypto';",
    "import { randomFillSync } from 'node:crypto';",
    "import { randomFill } from 'node:crypto';",
    "import { pseudoRandomBytes } from 'node:crypto';",
    "import { webcrypto } from 'node:crypto';",
    "import crypto from 'node:crypto'; crypto.randomBytes(1);",
    "import * as c from 'node:crypto'; c.randomBytes(1);",
    "import c from 'node:crypto'; const { randomBytes } = c;",
    "export { randomBytes } from 'node:crypto';",
  ],
  Ids: [
    'crypto.randomUUID();',
    'const { randomUUID } = crypto;',
    "import { randomUUID } from 'node:crypto';",
    "import { randomUUIDv7 } from 'node:crypto';",
  ],
  Environment: [
    'process.env.HOME;',
    "process['env'];",
    'const { env } = process;',
    'const { argv, env } = process;',
    'globalThis.process.env;',
    '({ env } = process);',
    'const p = process;',
    "import { env } from 'node:process';",
    "import { env as e } from 'process';",
    "import proc from 'node:process'; proc.env;",
    "import * as proc from 'node:process'; proc.env;",
    "import process from 'node:process'; process.env;",
  ],
  transport: [
    'fetch(url);',
    'const get = fetch;',
    'globalThis.fetch(url);',
    'new WebSocket(url);',
    'new EventSource(url);',
    'new XMLHttpRequest();',
  ],
  Logger: ['console.log(1);', "console['log'](1);", "import { Console } from 'node:console';"],
  'Choose another name': [
    'const fetch = 1;',
    'let setTimeout;',
    'function console() {}',
    'class Date {}',
    'function f(performance: Clock) {}',
    'const f = (fetch) => 1;',
    'const { fetch } = transport;',
    'const { get: fetch } = transport;',
    'const [fetch] = transports;',
    'const { ...console } = logs;',
    'const { get: [fetch = 1] } = transport;',
    'function f({ clock: setTimeout }: Ports) {}',
    'try {} catch (process) {}',
    "import { fetch } from './transport.ts';",
    "import { get as fetch } from './transport.ts';",
    "import * as crypto from './crypto.ts';",
    "import fetch from './fetch.ts';",
    "import fetch = require('./fetch.ts');",
    'run(function fetch() {});',
    'run(function (fetch) {});',
    'run(class Date {});',
    'enum console {}',
    'namespace console { run(); }',
    'class A { constructor(private fetch: Fetch) {} }',
    'const globalThis = {};',
  ],
  'Write globalThis.NAME': [
    'const g = globalThis;',
    'globalThis[name];',
    'const { fetch: get } = globalThis;',
    'const { Date: D } = globalThis;',
    'const { process: { env } } = globalThis;',
    'const { ...all } = globalThis;',
  ],
  'Write the name of the member': [
    'Date[name]();',
    'process[name];',
    'const { floor, ...rest } = Math;',
    'const { [name]: random } = Math;',
  ],
  'Use an import declaration': [
    "const { randomUUID } = await import('node:crypto');",
    "require('node:crypto').randomUUID();",
    "createRequire(import.meta.url)('node:process').env;",
    "process.getBuiltinModule('process');",
  ],
};

/** Each of these looks like an offence and is none. */
const innocents: readonly string[] = [
  '// Date.now(), setTimeout and process.env are banned.',
  "const text = 'Date.now()';",
  'const text = `performance.now() in ${milliseconds}`;',
  'const pattern = /Math.random()/;',
  'new Date(milliseconds);',
  'new Date(year, month);',
  'new globalThis.Date(milliseconds);',
  "Date.parse('2026-01-01');",
  'Date.UTC(2026, 1);',
  'value instanceof Date;',
  'signal instanceof AbortSignal;',
  'AbortSignal.any([signal]);',
  'AbortSignal.abort();',
  'Math.max(1, 2);',
  'const { floor } = Math;',
  'let when: Date;',
  'function f(when: Date, signal?: AbortSignal): typeof fetch;',
  'type Fetch = typeof globalThis.fetch;',
  'type Timer = ReturnType<typeof setTimeout>;',
  'interface Ports { fetch(url: string): void; now: Date; performance: (console: string) => void }',
  'declare const fetch: unknown;',
  "import type { setTimeout } from 'node:timers';",
  "import { type randomUUID, createHash } from 'node:crypto';",
  "import { generateKeyPair } from 'node:crypto';",
  "import crypto from 'node:crypto'; crypto.createHash('sha256');",
  "import process, { argv } from 'node:process'; process.exitCode = argv.length;",
  'crypto.subtle.digest(name, bytes);',
  'clock.setTimeout(run, 1);',
  'this.fetch(url);',
  'ports.console?.log(1);',
  "ports['fetch'];",
  'const ports = { fetch: 1, Date: 2, setTimeout() {}, get console() { return 1; } };',
  'const { fetch: get, setTimeout: after } = ports;',
  'class Ports { fetch = 1; static console = 2; setTimeout() {} #performance = 3; }',
  'export { after as setTimeout };',
  "export { get as fetch } from './get.ts';",
  "import { fetch as get } from './get.ts';",
  'fetch: for (;;) break fetch;',
  'fetch: for (;;) continue fetch;',
  'class Ports { accessor fetch = 1; }',
  'enum Port { fetch = 1 }',
  "import data from './data.json' with { fetch: 'json' };",
  'export type { fetch };',
  'export { type fetch };',
  'queueMicrotask(run);',
  'process.exitCode = 1;',
  'process.memoryUsage();',
  '(process satisfies Any).exitCode;',
  '(<Any>process).exitCode;',
  '(globalThis?.Math).max(1);',
  "process.on('SIGTERM', stop);",
  'const { argv } = process;',
  'globalThis.structuredClone(value);',
  'const { structuredClone: clone } = globalThis;',
];

describe('the ports', () => {
  for (const [advice, samples] of Object.entries(offenders)) {
    it(`refuse what gets around them, and say what to do: ${advice}`, () => {
      for (const sample of samples) {
        const violations = violationsOf(path, `\n${sample}`);
        assert.notEqual(violations.length, 0, sample);
        for (const violation of violations) {
          assert.equal(`${violation.rule}:${violation.line}`, 'ports:2', sample);
        }
        assert.ok(
          violations.some(({ instead }) => instead.includes(advice)),
          `${sample}: ${violations.map(({ instead }) => instead).join(' ')}`,
        );
      }
    });
  }

  it('let look-alikes pass', () => {
    for (const sample of innocents) assert.deepEqual(brokenRules(path, sample), [], sample);
  });

  const real = 'export const ms = Date.now() + Math.random(); console.log(process.env);';
  const places = [
    { path: 'packages/runtime/src/clock.ts', want: [] },
    { path: 'packages/runtime/src/deep/clock.test.ts', want: [] },
    { path: 'packages/manager/src/main.ts', want: [] },
    { path: 'test/control-plane/main.ts', want: [] },
    { path: 'packages/runtime/build.ts', want: ['ports:1'] },
    { path: 'packages/runtime-x/src/clock.ts', want: ['import-direction:1', 'ports:1'] },
    { path: 'packages/manager/src/domain.ts', want: ['ports:1'] },
    { path: 'packages/manager/src/main.test.ts', want: ['ports:1'] },
    { path: 'packages/core/src/a.test.ts', want: ['ports:1'] },
    { path: 'providers/aws/src/a.ts', want: ['ports:1'] },
    { path: 'test/integration/a.test.ts', want: ['ports:1'] },
    { path: 'test/support/a.mjs', want: ['ports:1'] },
  ];
  for (const { path: place, want } of places) {
    it(`${want.length === 0 ? 'are open to' : 'hold for'} ${place}`, () => {
      assert.deepEqual(brokenRules(place, real), want);
    });
  }

  it('report a shadowed global once, not each use of it', () => {
    const text = 'function f(process: Child) {\n  run(process);\n  return process.env;\n}';
    assert.deepEqual(brokenRules(path, text), ['ports:1']);
  });
});

describe('the real ports', () => {
  const taking = [
    "import { systemClock } from '@tandem/runtime';",
    "import { type Clock, systemRandom as random } from '@tandem/runtime';",
    "import * as runtime from '@tandem/runtime';",
    "const { systemIds } = await import('@tandem/runtime');",
  ];

  it('are not taken by packages and providers, tests included', () => {
    for (const text of taking) {
      for (const place of ['packages/kube/src/a.ts', 'packages/kube/src/a.test.ts']) {
        assert.ok(brokenRules(place, text).includes('ports:1'), `${place}: ${text}`);
      }
    }
  });

  it('are handed out by program entries, and used below test/', () => {
    const [text = ''] = taking;
    assert.deepEqual(brokenRules('packages/kube/src/main.ts', text), []);
    assert.deepEqual(brokenRules('test/control-plane/start.ts', text), []);
    const harmless = "import { type Clock, sleep, virtualClock } from '@tandem/runtime';";
    assert.deepEqual(brokenRules('packages/kube/src/a.ts', harmless), []);
  });

  it('are real in a main.ts at the top of a package, not deeper, and never in core', () => {
    const text = 'Date.now();';
    assert.deepEqual(brokenRules('packages/kube/src/main.ts', text), []);
    assert.deepEqual(brokenRules('test/run/mocha/main.ts', text), []);
    assert.deepEqual(brokenRules('packages/kube/src/deep/main.ts', text), ['ports:1']);
    assert.deepEqual(brokenRules('packages/core/src/main.ts', text), ['ports:1']);
  });
});
