/**
 * The suites of `npm test`, as data: where their test files lie and how mocha runs them. Every test file
 * of the tree belongs to exactly one of them; `suites.test.ts` sees to that.
 */
import { posix } from 'node:path';

export interface Suite {
  readonly name: string;
  /** Globs relative to the root of the tree, with forward slashes. */
  readonly patterns: readonly string[];
  /** How long one test or hook may take before it counts as failed. */
  readonly timeoutMs: number;
  /** From here on a test's duration is shown, so that slow ones are noticed. */
  readonly slowMs: number;
  /** Whether every title is shown, or those of slow and failed tests only. */
  readonly titles: 'all' | 'notable';
  /** Whether real time, chance and `fetch` throw while its tests run. */
  readonly tripwire: boolean;
  /**
   * Files for which mocha starts a process of its own, beside one for the rest: they share servers, which
   * mocha's parallel mode would start again for each file. Without it, mocha spreads files over workers.
   */
  readonly together?: readonly string[];
  /** A program of the tree to run first where one of these files is asked for: a build takes minutes and would slow the tests beside it. */
  readonly first?: { readonly files: readonly string[]; readonly program: string };
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
    slowMs: 500,
    titles: 'notable',
    tripwire: true,
  },
  {
    // What takes long by its nature: many seeded worlds, a heap that fills, programs as processes.
    name: 'slow',
    patterns: sourceFolders.map((folder) => `${folder}/**/*.slow.test.ts`),
    timeoutMs: 60_000,
    slowMs: 5_000,
    titles: 'notable',
    tripwire: false,
  },
  {
    // Whole worlds in virtual time. They take as long as there are many, so that one test is a batch.
    name: 'simulation',
    patterns: ['test/simulation/**/*.test.ts'],
    timeoutMs: 300_000,
    slowMs: 60_000,
    titles: 'all',
    tripwire: true,
  },
  {
    name: 'integration',
    patterns: ['test/control-plane/**/*.test.ts', 'test/integration/**/*.test.ts'],
    timeoutMs: 60_000,
    slowMs: 2_000,
    titles: 'all',
    tripwire: false,
    // Most of their time they wait for leases and servers, so that two share the machine well; with
    // three, what is bound to happen in time happens late. Here are the files that share the control plane
    // of `hooks.test.ts`, and enough others that both processes take about as long. Each process starts one
    // more control plane for its scenarios of the manager. Files run in the order of their paths, so
    // `troubles-in-real-times.test.ts` comes last: what it waits for began in `operate/trouble.test.ts`.
    together: [
      'test/control-plane/hooks.test.ts',
      'test/integration/{access,api-claims,example-controller,node,service}.test.ts',
      'test/integration/troubles-in-real-times.test.ts',
      'test/integration/manager/{aws-lifecycle,cutting-proxy,kep-rows}.test.ts',
      'test/integration/{kube,operate,pod-cidrs,routes,serving,start}/**',
    ],
    first: {
      files: ['test/integration/minors/**'],
      program: 'test/control-plane/binaries/build-minors.ts',
    },
  },
];

export function isOf(file: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => posix.matchesGlob(file, pattern));
}

/** Whether the author of a file of this name would expect `npm test` to run it. */
export function looksLikeTest(file: string): boolean {
  return /[._-](?:test|tests|spec|specs)\.[cm]?[jt]sx?$/.test(file);
}
