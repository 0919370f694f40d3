import assert from 'node:assert/strict';
import { CcmError, createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock } from '@tandem/runtime/testing';
import { limitsDefault } from '../lookup/index.ts';
import { loadProvider } from './load-provider.ts';
import { providerSourceOf } from './provider-source.ts';

const clock = virtualClock();
const context = {
  configPath: undefined,
  clock,
  random: seededRandom('module'),
  logger: createLogger({ clock, destination: { write: () => {} } }),
  metrics: createMetrics(),
  environment: {},
  clusterName: 'kubernetes',
  clusterCIDRs: [],
  signal: new AbortController().signal,
};

const fitting = { name: 'acme', identify: () => 'key', lookup: async () => new Map() };

const fittingRoutes = {
  families: ['IPv4', 'IPv6'],
  list: async () => ({ asOfMs: 0, tables: [] }),
  apply: async () => [],
};

const load = (module: unknown): Promise<unknown> =>
  loadProvider('./acme.js', { context, importer: async () => module });

const creating = (provider: unknown): object => ({ createProvider: async () => provider });

describe('loading a provider', () => {
  it('recognises built-in providers by name, paths by their beginning, and packages otherwise', () => {
    const cases = [
      { text: 'static', want: { kind: 'own', name: 'static' } },
      { text: '/opt/acme.js', want: { kind: 'module', specifier: 'file:///opt/acme.js' } },
      { text: '@acme/tandem', want: { kind: 'module', specifier: '@acme/tandem' } },
      { text: 'Static', want: { kind: 'module', specifier: 'Static' } },
    ];
    for (const { text, want } of cases) assert.deepEqual(providerSourceOf(text), want);
    const relative = providerSourceOf('./static');
    assert.match(relative.kind === 'module' ? relative.specifier : '', /^file:\/\/\/.*\/static$/);
  });

  it('accepts every limit of look-ups', async () => {
    const limits = limitsDefault;
    assert.deepEqual(await load(creating({ ...fitting, limits })), { ...fitting, limits });
  });

  it('returns the provider that the module creates', async () => {
    const routed = { ...fitting, routes: fittingRoutes };
    for (const provider of [fitting, routed]) {
      assert.equal(await load(creating(provider)), provider);
    }
  });

  it('says why a module could not be loaded, and which values are valid', async () => {
    const importer = async (): Promise<unknown> => {
      throw new Error("Cannot find package 'acme'");
    };
    await assert.rejects(loadProvider('acme', { importer, context }), {
      code: 'ProviderModuleNotLoaded',
      retry: 'never',
      message:
        /^Cannot load the cloud provider "acme" \(Cannot find package 'acme'\)\. .* one of aws, azure, static, simulated\. See docs\/guides\/write-a-provider\.md$/,
    });
  });

  const unfit = [
    {
      module: undefined,
      want: /must export a function named createProvider, but exports nothing\. See docs/,
    },
    {
      module: { createprovider: fitting },
      want: /createProvider, but exports createprovider\. See docs/,
    },
    {
      module: creating(undefined),
      want: /returned an invalid provider: it is not an object\. See docs/,
    },
    {
      module: creating({ name: 'a b', lookup: 1 }),
      want: /: name must be .*; identify must be a function; lookup must be a function\. See/,
    },
    {
      module: creating({ ...fitting, close: 1 }),
      want: /close must be a function if it is present/,
    },
    {
      module: creating({ ...fitting, checkAccess: true }),
      want: /checkAccess must be a function if it is present/,
    },
    {
      module: creating({ ...fitting, limits: { qps: 1 } }),
      want: /: limits\.qps is not a known limit\. See/,
    },
    {
      module: creating({ ...fitting, limits: { batchSize: 0 } }),
      want: /limits\.batchSize must be a number greater than 0/,
    },
    {
      module: creating({ ...fitting, routes: true }),
      want: /routes must be an object if it is present/,
    },
    {
      module: creating({ ...fitting, routes: { families: ['IPv5'], list: 1 } }),
      want: /routes\.families must list IPv4, IPv6 or both; routes\.list must be a function; routes\.apply must be/,
    },
    {
      module: creating({
        ...fitting,
        routes: { ...fittingRoutes, limits: { batchSize: 0, qps: 1 } },
      }),
      want: /: routes\.limits\.batchSize must be a number greater than 0; routes\.limits\.qps is not a known limit/,
    },
  ];
  for (const { module, want } of unfit) {
    it(`names the fault of an unfit module: ${String(want)}`, async () => {
      await assert.rejects(load(module), { code: 'ProviderModuleUnfit', message: want });
    });
  }

  const refusing = (refusal: unknown): object => ({
    createProvider: () => Promise.reject(refusal),
  });

  const refusals = [
    {
      refusal: new Error('the token in /etc/acme has expired'),
      want: 'the token in /etc/acme has expired',
    },
    { refusal: new TypeError(''), want: 'createProvider threw TypeError' },
    { refusal: 'no token', want: 'no token' },
  ];
  for (const { refusal, want } of refusals) {
    it(`names the provider that fails to start: ${want}`, async () => {
      await assert.rejects(load(refusing(refusal)), {
        code: 'ProviderNotCreated',
        retry: 'never',
        message: `--cloud-provider=./acme.js: ${want}`,
        cause: refusal,
      });
    });
  }

  it('passes on an error with a code unchanged, because its message is complete', async () => {
    const facts = { code: 'InventoryNotReadable', retry: 'backoff', effect: 'none' } as const;
    const refusal = new CcmError('--cloud-config: x does not exist. Check the path.', facts);
    await assert.rejects(load(refusing(refusal)), refusal);
  });

  it('rejects with the reason of the signal', async () => {
    const reason = new Error('the program ends');
    const importer = async (): Promise<unknown> => refusing(reason);
    const aborted = { ...context, signal: AbortSignal.abort(reason) };
    await assert.rejects(loadProvider('./acme.js', { importer, context: aborted }), reason);
  });
});
