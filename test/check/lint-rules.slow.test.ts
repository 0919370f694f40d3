import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { aMiniature } from '../run/miniature.ts';

const repository = join(import.meta.dirname, '..', '..');
const oxlint = join(repository, 'node_modules', 'oxlint', 'bin', 'oxlint');
const kube = 'packages/kube/src/NAME.ts';
const core = 'packages/core/src/NAME.ts';

/** Each of these, on its own, gets around a port or makes core impure. */
const offenders: readonly { readonly place: string; readonly samples: readonly string[] }[] = [
  {
    place: kube,
    samples: [
      'Date.now();',
      "Date['now']();",
      'const { now } = Date;',
      'new Date();',
      'new Date().toISOString();',
      'Date();',
      'const D = Date; D.now();',
      'let chance; chance = Math;',
      "require('node:timers');",
      "import { createRequire } from 'node:module';",
      'globalThis.Date.now();',
      'const g = globalThis;',
      'performance.now();',
      'process.hrtime.bigint();',
      'process.uptime();',
      "import { hrtime } from 'node:process';",
      'setTimeout(run, 1);',
      'promisify(setTimeout);',
      'setInterval(run, 1);',
      'setImmediate(run);',
      'clearTimeout(timer);',
      "import { setTimeout as wait } from 'node:timers';",
      "import * as t from 'node:timers';",
      "import t from 'timers';",
      "export { setTimeout as wait } from 'node:timers';",
      "import { scheduler } from 'node:timers/promises';",
      "process.getBuiltinModule('node:timers');",
      "import 'node:perf_hooks';",
      'AbortSignal.timeout(5);',
      'Temporal.Now.instant();',
      'Math.random();',
      'const { random } = Math;',
      'crypto.getRandomValues(bytes);',
      "import { randomBytes } from 'node:crypto';",
      "import * as c from 'node:crypto'; c.randomBytes(1);",
      "import c from 'node:crypto';",
      'crypto.randomUUID();',
      "import { randomUUID } from 'node:crypto';",
      'process.env.HOME;',
      'const { argv, env } = process;',
      "import { env as e } from 'process';",
      "import process from 'node:process';",
      'fetch(url);',
      'const get = fetch;',
      'new WebSocket(url);',
      'console.log(1);',
      "import { Console } from 'node:console';",
      "import { systemClock } from '@tandem/runtime';",
      "import { type Clock, systemRandom as random } from '@tandem/runtime';",
      "import * as runtime from '@tandem/runtime';",
      "import { virtualClock } from '@tandem/runtime/testing';",
      "import { a } from 'some-package/dist/a.js';",
      "import a from 'some-package/lib/part/a.js';",
    ],
  },
  {
    place: core,
    samples: [
      'Math.random();',
      "import { join } from 'node:path';",
      "import { join } from 'path';",
      "import type { Socket } from 'node:net';",
      "import { pino } from 'pino';",
      'export async function f() {}',
      'const f = async () => 1;',
      'class C { async f() {} }',
      'new Promise(f);',
      'Promise.all(all);',
      'export function f(): Promise<void>;',
      'export type Later = PromiseLike<number>;',
      'queueMicrotask(f);',
      'function f(x: AsyncIterable<string>) {}',
    ],
  },
  // The runtime and programs have the real things; what lies deeper or beside them does not.
  ...[
    'packages/manager/src/NAME.test.ts',
    'packages/manager/src/deep/NAME/main.ts',
    'packages/runtime/NAME.ts',
    'packages/core/src/NAME.test.ts',
    'providers/aws/src/NAME.ts',
    'test/integration/NAME.test.ts',
    'test/support/NAME.mjs',
  ].map((place) => ({ place, samples: ['Date.now();', 'console.log(1);'] })),
];

/** Each of these looks like an offence and is none. */
const innocents: typeof offenders = [
  {
    place: kube,
    samples: [
      '// Date.now(), setTimeout and process.env are banned.',
      'new Date(milliseconds);',
      'const { max } = Math;',
      "Date.parse('2026-01-01');",
      'value instanceof Date;',
      'AbortSignal.any([signal]);',
      'Math.max(1, 2);',
      "import { createHash } from 'node:crypto';",
      'clock.setTimeout(run, 1);',
      'this.fetch(url);',
      'process.exitCode = 1;',
      "import { type Clock, sleep } from '@tandem/runtime';",
    ],
  },
  {
    place: core,
    samples: [
      "import ip from 'ipaddr.js';",
      "import { a } from '../a.ts';",
      'export function* f() { yield 1; }',
      'const o = { Promise: 1, async: true };',
    ],
  },
  { place: 'packages/core/src/NAME.test.ts', samples: ["import fc from 'fast-check';"] },
  ...[
    'packages/runtime/src/NAME.ts',
    'packages/runtime/src/deep/NAME.test.ts',
    'test/NAME/main.ts',
  ].map((place) => ({ place, samples: ['Date.now(); Math.random(); console.log(process.env);'] })),
];

/** Which of these break one of the linter's rules for ports and for core, as they stand. */
async function reported(all: typeof offenders): Promise<ReadonlySet<string>> {
  const samples = all.flatMap(({ place, samples: texts }) =>
    texts.map((text) => ({ place, text })),
  );
  const files = samples.map(({ place, text }, index) => {
    const path = place.replace('NAME', `sample${index}`);
    return { path, text, name: `${place}: ${text}` };
  });
  await using tree = await aMiniature(
    Object.fromEntries(files.map(({ path, text }) => [path, text])),
  );
  for (const path of ['oxlint.config.ts', 'test/check/lint']) {
    await cp(join(repository, path), join(tree.root, path), { recursive: true });
  }
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], {
    cwd: tree.root,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { readonly code?: string; readonly filename: string }[];
  };
  const paths = diagnostics
    .filter(({ code = '' }) => /no-restricted-|no-async-await|ports-in-place/.test(code))
    .map(({ filename }) => filename);
  return new Set(files.filter(({ path }) => paths.includes(path)).map(({ name }) => name));
}

function namesOf(all: typeof offenders): string[] {
  return all.flatMap(({ place, samples }) => samples.map((text) => `${place}: ${text}`));
}

describe('the linter', function () {
  this.timeout(30_000);

  it('refuses code that bypasses a port, and impure code in core', async () => {
    const found = await reported(offenders);
    assert.deepEqual(
      namesOf(offenders).filter((name) => !found.has(name)),
      [],
    );
  });

  it('accepts code that only looks like that', async () => {
    assert.deepEqual([...(await reported(innocents))], []);
  });
});
