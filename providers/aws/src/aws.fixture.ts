/**
 * Runs the provider against the fake of EC2, through the real SDK, with its own configuration file. The SDK runs in the
 * thread of the test, so that `untilStill` can determine when no call is in progress.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProvider } from '@tandem/provider/module';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import {
  afterTurn,
  createLogger,
  createMetrics,
  type Environment,
  type Metrics,
} from '@tandem/runtime';
import { seededRandom, type VirtualClock, virtualClock } from '@tandem/runtime/testing';
import { FakeEC2 } from '../../../test/support/ec2/index.ts';
import { createAWSProvider } from './aws-provider.ts';
import { connect } from './sdk/connection.ts';

export const dualStackConfig = `[Global]
Zone = eu-west-1a
KubernetesClusterID = blue
NodeIPFamilies = ipv4
NodeIPFamilies = ipv6
`;

export interface AWSWorld extends AsyncDisposable {
  readonly ec2: FakeEC2;
  readonly provider: Provider;
  readonly clock: VirtualClock;
  /** All log lines. */
  readonly log: readonly string[];
  readonly metrics: Metrics;
}

export async function openAWSWorld(
  config: string = dualStackConfig,
  variables: Environment = {},
  clusterCIDRs: readonly string[] = [],
): Promise<AWSWorld> {
  const ec2 = await FakeEC2.start();
  const folder = await mkdtemp(join(tmpdir(), 'tandem-aws-'));
  const configPath = join(folder, 'cloud.conf');
  await writeFile(configPath, config);
  const clock = virtualClock({ startMs: ec2.clock.now() });
  ec2.clock = clock;
  const log: string[] = [];
  const metrics = createMetrics();
  const close = async (): Promise<void> => {
    await ec2.close();
    await rm(folder, { recursive: true });
  };
  try {
    const context: ProviderContext = {
      configPath,
      clock,
      random: seededRandom('aws'),
      logger: createLogger({ clock, destination: { write: (line) => void log.push(line) } }),
      metrics,
      environment: {
        AWS_ENDPOINT_URL_EC2: ec2.url,
        AWS_ACCESS_KEY_ID: ec2.accessKeyId,
        AWS_SECRET_ACCESS_KEY: 'secret-of-the-test',
        ...variables,
      },
      clusterName: 'kubernetes',
      clusterCIDRs,
      signal: new AbortController().signal,
    };
    // Loads the provider as the program does, which checks that it implements the interface.
    const provider = await loadProvider('aws', {
      context,
      importer: async () => ({
        createProvider: (given: ProviderContext) =>
          createAWSProvider(given, async (client, onDate) => connect(client, clock, onDate)),
      }),
    });
    return {
      ec2,
      provider,
      clock,
      log,
      metrics,
      async [Symbol.asyncDispose]() {
        await provider.close?.();
        await close();
      },
    };
  } catch (err) {
    await close();
    throw err;
  }
}

/** The number of turns of the event loop within which a call reaches the fake, or its answer reaches the provider. */
const turnsOfACall = 20;

/** Resolves when exactly this many calls wait for an answer and nothing else happens, so that time may advance. */
export async function untilStill(ec2: FakeEC2, callsUnderWay: number): Promise<void> {
  for (let turn = 0; turn < turnsOfACall; turn++) {
    await new Promise<void>(afterTurn);
    if (ec2.underWay !== callsUnderWay) turn = 0;
  }
}
