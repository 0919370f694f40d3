/**
 * The rules of the linter. Time, chance, identity, environment, traffic and output enter through the ports of
 * `packages/runtime`; `packages/core` is pure. An override replaces the options of a rule and does not add to
 * them, so that the lists below are joined here. `test/check/lint-rules.slow.test.ts` has examples of each.
 */
const takeClock = 'Take a Clock from @tandem/runtime; tests pass the virtual clock and advance it.';
const takeRandom = 'Take a Random from @tandem/runtime; tests pass a seeded one.';
const takeIds = 'Take Ids from @tandem/runtime; tests pass predictable ones.';
const takeEnvironment =
  'Take an Environment from @tandem/runtime, or better the one value; main.ts reads it.';
const takeTransport = 'Take a transport; main.ts passes the real one.';
const takeLogger = 'Take a Logger from @tandem/runtime, or return what is to be printed.';
const useName = 'Use the global by its name.';
const useImport = 'Use an import declaration.';
const staySynchronous = 'core is synchronous. Let the caller wait, and pass core the data.';

const randomNames = [
  'getRandomValues',
  'randomBytes',
  'pseudoRandomBytes',
  'randomInt',
  'randomFill',
  'randomFillSync',
  'webcrypto',
];

const portGlobals = [
  ...named(takeClock, ['performance', 'setTimeout', 'setInterval', 'setImmediate']),
  ...named(takeClock, ['clearTimeout', 'clearInterval', 'clearImmediate']),
  ...named(takeTransport, ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']),
  ...named(takeLogger, ['console']),
  ...named(useName, ['globalThis', 'global']),
  ...named(useImport, ['require']),
];

const portProperties = [
  ...properties(takeClock, { Date: ['now'], Temporal: ['Now'], AbortSignal: ['timeout'] }),
  ...properties(takeClock, { process: ['hrtime', 'uptime'] }),
  ...properties(takeRandom, { Math: ['random'], crypto: randomNames }),
  ...properties(takeIds, { crypto: ['randomUUID', 'randomUUIDv7'] }),
  ...properties(takeEnvironment, { process: ['env'] }),
  ...properties(useImport, { process: ['getBuiltinModule'] }),
];

const insideImports = [
  { group: ['**/dist/**', '**/lib/**'], message: 'Use what the package exports.' },
];

const portImports = [
  { regex: '^(?:node:)?(?:timers|timers/promises|perf_hooks)$', message: takeClock },
  { regex: '^(?:node:)?console$', message: takeLogger },
  {
    regex: '^(?:node:)?crypto$',
    importNames: ['randomUUID', 'randomUUIDv7'],
    message: takeIds,
  },
  { regex: '^(?:node:)?crypto$', importNames: ['default', ...randomNames], message: takeRandom },
  { regex: '^(?:node:)?process$', importNames: ['env'], message: takeEnvironment },
  {
    regex: '^(?:node:)?process$',
    importNames: ['default', 'hrtime', 'uptime'],
    message: takeClock,
  },
  ...insideImports,
];

/** What `packages` and `providers` may not import. */
const packageImports = [
  ...portImports,
  { regex: '^(?:node:)?module$', importNames: ['createRequire', 'default'], message: useImport },
  {
    group: ['@tandem/runtime'],
    importNamePattern: '^system',
    message:
      'Only program entries (main.ts) hand out the real one. Take it as a parameter; tests pass the virtual or seeded one.',
  },
];

/** What ships may not import either. */
const testingPorts = {
  group: ['@tandem/runtime/testing'],
  message: 'Virtual time and seeded chance do not ship. Take a Clock or a Random.',
};

/** Where programs and threads begin. */
const programs = ['{packages,providers}/*/src/main.ts', 'providers/aws/src/sdk/main.ts'];

/** Where the real things are. */
const realFiles = [
  'packages/runtime/src/**',
  ...programs,
  '{test,tools}/**/main.ts',
  'test/run/tripwire.ts',
];

const testFiles = ['**/*.test.ts', '**/*.fixture.ts'];
const packageFiles = ['packages/**/*.ts', 'providers/**/*.ts'];

const unsafeRules = [
  'typescript/no-unsafe-argument',
  'typescript/no-unsafe-assignment',
  'typescript/no-unsafe-call',
  'typescript/no-unsafe-member-access',
  'typescript/no-unsafe-return',
];

export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  jsPlugins: ['./test/check/lint/ports-in-place.ts'],
  options: { typeAware: true, denyWarnings: true },
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/only-throw-error': 'error',
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/no-deprecated': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'eslint/eqeqeq': 'error',
    'eslint/no-var': 'error',
    'eslint/prefer-const': 'error',
    'eslint/no-debugger': 'error',
    'import/no-cycle': 'error',
    'eslint/no-restricted-imports': ['error', { patterns: insideImports }],
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // It is about windows. Threads have no origin.
    'unicorn/require-post-message-target-origin': 'off',
  },
  overrides: [
    { files: packageFiles, rules: all(unsafeRules, 'error') },
    {
      files: ['**/*.{ts,mts,cts,js,mjs,cjs}'],
      excludeFiles: realFiles,
      rules: {
        'tandem/ports-in-place': 'error',
        'eslint/no-restricted-globals': ['error', ...portGlobals],
        'eslint/no-restricted-properties': ['error', ...portProperties],
        'eslint/no-restricted-imports': ['error', { patterns: portImports }],
      },
    },
    {
      files: packageFiles,
      excludeFiles: realFiles,
      rules: {
        'eslint/no-restricted-imports': ['error', { patterns: packageImports }],
      },
    },
    {
      files: packageFiles,
      excludeFiles: [...realFiles, ...testFiles, 'packages/devcluster/**'],
      rules: {
        'eslint/no-restricted-imports': ['error', { patterns: [...packageImports, testingPorts] }],
      },
    },
    {
      files: ['packages/runtime/src/**/*.ts', ...programs],
      excludeFiles: [...testFiles, 'packages/devcluster/**'],
      rules: {
        'eslint/no-restricted-imports': ['error', { patterns: [...insideImports, testingPorts] }],
      },
    },
    {
      files: ['packages/core/**/*.ts'],
      excludeFiles: testFiles,
      rules: {
        'eslint/no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                // Everything but a relative path and ipaddr.js.
                regex: '^(?:[^.i]|i(?:[^p]|p(?:[^a]|a[^d])))',
                message:
                  'core is pure: of packages it may import ipaddr.js alone. Do the work in the package that calls core, and pass core the data.',
              },
            ],
          },
        ],
        'oxc/no-async-await': 'error',
        'eslint/no-restricted-globals': [
          'error',
          ...portGlobals,
          ...named(staySynchronous, ['Promise', 'queueMicrotask']),
        ],
        'typescript/no-restricted-types': [
          'error',
          {
            types: Object.fromEntries(
              ['Promise', 'PromiseLike', 'AsyncIterable', 'AsyncIterator', 'AsyncGenerator'].map(
                (type) => [type, { message: staySynchronous }],
              ),
            ),
          },
        ],
      },
    },
    {
      files: testFiles,
      rules: all(
        ['typescript/no-non-null-assertion', 'typescript/no-unsafe-type-assertion', ...unsafeRules],
        'off',
      ),
    },
    {
      files: ['**/*.cjs', 'test/run/reporter.ts', 'oxlint.config.ts', 'test/check/lint/*.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
  ignorePatterns: ['dist', 'node_modules'],
};

function named(message: string, names: readonly string[]): object[] {
  return names.map((name) => ({ name, message }));
}

function properties(message: string, byObject: Readonly<Record<string, string[]>>): object[] {
  return Object.entries(byObject).flatMap(([object, names]) =>
    names.map((property) => ({ object, property, message })),
  );
}

function all(rules: readonly string[], level: string): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule, level]));
}
