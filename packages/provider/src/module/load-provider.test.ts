import assert from 'node:assert/strict';
import { createLogger, createMetrics, seededRandom, virtualClock } from '@tandem/runtime';
import { loadProvider } from './load-provider.ts';
import { providerSourceOf } from './provider-source.ts';

const clock = virtualClock();
const context = {
  configPath: undefined,
  clock,
  random: seededRandom('module'),
  logger: createLogger({ clock, destination: { write: () => {} } }),
  metrics: createMetrics(),
};

const fitting = { name: 'acme', owns: () => true, lookup: async () => new Map() };

const load = (module: unknown): Promise<unknown> =>
  loadProvider('./acme.js', { context, importer: async () => module });

const creating = (provider: unknown): object => ({ createProvider: async () => provider });

describe('loading a provider', () => {
  it('tells our own by name, paths by their beginning, and packages by the rest', () => {
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

  it('gives the provider that the module creates', async () => {
    assert.equal(await load(creating(fitting)), fitting);
  });

  it('says why a module could not be loaded, and what may be given instead', async () => {
    const importer = async (): Promise<unknown> => {
      throw new Error("Cannot find package 'acme'");
    };
    await assert.rejects(loadProvider('acme', { importer, context }), {
      code: 'ProviderModuleNotLoaded',
      retry: 'never',
      message:
        /"acme" could not be loaded \(Cannot find package 'acme'\)\. Give one of static, simulated, .*docs\/guides\/write-a-provider\.md$/,
    });
  });

  const unfit = [
    {
      module: undefined,
      want: /does not export a function createProvider, but nothing\. See docs/,
    },
    { module: { createprovider: fitting }, want: /createProvider, but createprovider\. See docs/ },
    { module: creating(undefined), want: /gave is no provider: it is no object\. See docs/ },
    {
      module: creating({ name: 'a b', lookup: 1 }),
      want: /: name must be a word .*; owns must be a function; lookup must be a function\. See/,
    },
    { module: creating({ ...fitting, close: 1 }), want: /close, where there is one, must be/ },
    {
      module: creating({ ...fitting, checkAccess: true }),
      want: /checkAccess, where there is one, must be a function/,
    },
    {
      module: creating({ ...fitting, limits: { qps: 1 } }),
      want: /: limits\.qps is unknown\. See/,
    },
    {
      module: creating({ ...fitting, limits: { batchSize: 0 } }),
      want: /limits\.batchSize must be a number above 0/,
    },
  ];
  for (const { module, want } of unfit) {
    it(`names what a module lacks: ${String(want)}`, async () => {
      await assert.rejects(load(module), { code: 'ProviderModuleUnfit', message: want });
    });
  }

  it('lets a provider word its own refusal to start', async () => {
    const refusal = new Error('the file x is missing');
    const module = { createProvider: () => Promise.reject(refusal) };
    await assert.rejects(load(module), refusal);
  });
});
