/**
 * The suites of `npm test`, as data: where their test files lie and how long one test may take.
 * Every test file of the tree belongs to exactly one of them; `selection.ts` sees to that.
 */
import { posix } from 'node:path';
import type { Sharing } from './shares.ts';

export interface Suite {
  readonly name: string;
  /** Globs relative to the root of the tree, with forward slashes. */
  readonly patterns: readonly string[];
  /** How long one test or hook may take before it counts as failed. */
  readonly timeoutMs: number;
  /** From here on a test's duration is shown, so that slow ones are noticed. */
  readonly slowMs: number;
  /** Which mocha process has which files. More than one process only without side effects. */
  readonly sharing: Sharing;
  /** Whether progress is one line a file, or one a test where tests take seconds. */
  readonly progress: 'files' | 'titles';
}

/** Where tests lie beside what they test. */
const sourceFolders = [
  'packages/*/src',
  'providers/*/src',
  'test/check',
  'test/run',
  'test/support',
  'tools',
];

export const suites: readonly Suite[] = [
  {
    name: 'unit',
    patterns: sourceFolders.map((folder) => `${folder}/**/!(*.slow).test.ts`),
    // Properties run many cases, and machines that are busy with other things are slow.
    timeoutMs: 30_000,
    slowMs: 200,
    sharing: { kind: 'in turn', processes: 2 },
    progress: 'files',
  },
  {
    // What takes long by its nature: many seeded worlds, a heap that fills, programs as processes.
    name: 'slow',
    patterns: sourceFolders.map((folder) => `${folder}/**/*.slow.test.ts`),
    timeoutMs: 60_000,
    slowMs: 5_000,
    sharing: { kind: 'in turn', processes: 2 },
    progress: 'files',
  },
  {
    // Whole worlds in virtual time. They take as long as there are many, so that one test is a batch.
    name: 'simulation',
    patterns: ['test/simulation/**/*.test.ts'],
    timeoutMs: 300_000,
    slowMs: 60_000,
    sharing: { kind: 'in turn', processes: 2 },
    progress: 'titles',
  },
  {
    name: 'integration',
    patterns: ['test/control-plane/**/*.test.ts', 'test/integration/**/*.test.ts'],
    timeoutMs: 60_000,
    slowMs: 2_000,
    // Most of their time they wait for leases and servers, so that two share the machine well; with
    // three, what is bound to happen in time happens late. Here are those that share control planes, and
    // managers as operators have them; the rest is the scenarios of the manager, and whatever needs
    // no control plane or starts its own.
    sharing: {
      kind: 'by place',
      places: [
        [
          'test/control-plane/hooks.test.ts',
          'test/integration/{access,api-claims,example-controller,node,service}.test.ts',
          'test/integration/{kube,operate}/**',
        ],
      ],
    },
    progress: 'titles',
  },
];

/** The suites that would run this file: one in a healthy tree, none for a file that got lost. */
export function suitesOf(file: string): readonly Suite[] {
  return suites.filter((suite) =>
    suite.patterns.some((pattern) => posix.matchesGlob(file, pattern)),
  );
}

/** Whether somebody who wrote a file of this name would expect `npm test` to run it. */
export function looksLikeTest(file: string): boolean {
  return /[._-](?:test|tests|spec|specs)\.[cm]?[jt]sx?$/.test(file);
}
