import assert from 'node:assert/strict';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { silentLogger } from '../../../test/support/silent-logger.ts';
import { openProvider } from './open-provider.ts';

const acme: Provider = { name: 'acme', identify: () => 'key', lookup: async () => new Map() };

interface OpeningProvider {
  readonly clock: VirtualClock;
  readonly stop: AbortController;
  readonly opening: Promise<Provider>;
  readonly context: () => ProviderContext;
}

function open(create: () => Promise<Provider>): OpeningProvider {
  const clock = virtualClock();
  const stop = new AbortController();
  let given: ProviderContext | undefined;
  const createProvider = (context: ProviderContext): Promise<Provider> => {
    given = context;
    return create();
  };
  const opening = openProvider({
    clock,
    random: seededRandom('open'),
    logger: silentLogger,
    metrics: createMetrics(),
    environment: { ACME_TOKEN: 'x' },
    stop: stop.signal,
    importer: async () => ({ createProvider }),
    cloud: {
      provider: './acme.js',
      configPath: '/etc/acme.conf',
      clusterName: 'blue',
      clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'],
    },
  });
  const context = (): ProviderContext => {
    assert(given !== undefined, 'the provider was not created');
    return given;
  };
  return { clock, stop, opening, context };
}

describe('opening the provider', () => {
  it('passes the configuration, the cluster and the environment to it', async () => {
    const { opening, context } = open(async () => acme);
    assert.equal(await opening, acme, 'it is returned unchanged');
    const { configPath, clusterName, clusterCIDRs, environment, signal } = context();
    assert.deepEqual(
      { configPath, clusterName, clusterCIDRs, environment },
      {
        configPath: '/etc/acme.conf',
        clusterName: 'blue',
        clusterCIDRs: ['10.244.0.0/16', 'fd00:10:244::/48'],
        environment: { ACME_TOKEN: 'x' },
      },
    );
    assert.equal(signal.aborted, false);
  });

  it('aborts its signal at the deadline, and the error says what to check', async () => {
    const { clock, opening, context } = open(() => new Promise(() => {}));
    const failing = assert.rejects(opening, /acme\.js was not ready within 60 s\. Check/);
    await clock.advance(59_000);
    assert.equal(context().signal.aborted, false);
    await clock.advance(1_000);
    await failing;
    assert.ok(context().signal.aborted);
  });

  it('aborts its signal when the program ends first', async () => {
    const { clock, stop, opening, context } = open(() => new Promise(() => {}));
    await clock.advance(1_000);
    stop.abort(new Error('the program ends'));
    await assert.rejects(opening, /the program ends/);
    assert.ok(context().signal.aborted);
  });
});
