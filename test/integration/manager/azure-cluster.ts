/**
 * A cluster on Azure: the shipped program with upstream's flags and azure.json, the real SDKs in it, and the
 * fake of ARM and Entra behind that. It lies in the resource group `blue`: the scale set `pool`,
 * and machines beside it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import {
  aConfiguration,
  anInstance,
  anInterface,
  aScaleSet,
  FakeAzure,
  type FakeInstance,
  type FakeMachine,
  type FakeScaleSet,
  withInstance,
  withMachine,
  withScaleSet,
} from '../../support/arm/index.ts';
import type { CuttingProxy } from '../../support/cutting-proxy/index.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';

/** From the chart of upstream's manager, and short times for what a test waits for. */
const usualFlags = [
  '--v=2',
  '--cluster-name=blue',
  '--leader-elect=false',
  '--node-monitor-period=1s',
  '--node-status-update-frequency=1s',
  '--node-deletion-grace=2s',
  '--node-deletion-min-age=1s',
];

interface AzureOptions {
  readonly flags?: readonly string[];
  /** What azure.json has beside the usual. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Variables of its environment, and what they need to be so. */
  readonly credentials?: (scenario: Scenario, azure: FakeAzure) => Promise<Environment>;
  /** The manager goes through a proxy to the API server, which this prepares. */
  readonly through?: (proxy: CuttingProxy, azure: FakeAzure) => void;
  /** What Azure is like before the manager starts. */
  readonly before?: (azure: FakeAzure) => void;
}

export interface AzureCluster extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly azure: FakeAzure;
  readonly manager: ManagerProcess;
  /** Adds it, or changes what it was. */
  put(machine: FakeMachine): void;
  putInstance(instance: FakeInstance): void;
}

export const pool: FakeScaleSet = aScaleSet('pool');

/** The node of this instance of the pool is called `pool00000n`. */
export function anInstanceOfPool(
  number: number,
  changes: Partial<FakeInstance> = {},
): FakeInstance {
  return anInstance('pool', number, changes);
}

export const nodeNameOf = ({ computerName }: FakeInstance | FakeMachine): string =>
  computerName.toLowerCase();

/** An interface as Azure CNI has it: with addresses of pods beside those of the node. */
export function aBusyInterface(
  number: number,
  addresses: readonly string[],
): ReturnType<typeof anInterface> {
  const own = addresses.map((address, index) => aConfiguration(address, { name: `ip-${index}` }));
  const ofPods = [1, 2, 3].map((pod) =>
    aConfiguration(`10.9.${number}.${pod}`, { name: `pod-${pod}`, primary: false }),
  );
  return anInterface(number, { name: 'nic', configurations: [...ofPods, ...own.toReversed()] });
}

export async function openAzureCluster(
  open: () => Promise<Scenario>,
  options: AzureOptions = {},
): Promise<AzureCluster> {
  const scenario = await open();
  const azure = await FakeAzure.start();
  azure.arm.state = withScaleSet(azure.arm.state, pool);
  options.before?.(azure);
  const { provider, environment } = await azureFiles(scenario.directory, azure, options.config);
  const proxy = options.through && (await scenario.proxy());
  if (proxy !== undefined) options.through?.(proxy, azure);
  const manager = await scenario.start({
    ...(proxy !== undefined && { through: proxy }),
    provider,
    flags: [...usualFlags, ...(options.flags ?? ['--configure-cloud-routes=false'])],
    environment: { ...environment, ...(await options.credentials?.(scenario, azure)) },
  });
  return {
    scenario,
    azure,
    manager,
    put(machine) {
      azure.arm.state = withMachine(azure.arm.state, machine);
    },
    putInstance(instance) {
      azure.arm.state = withInstance(azure.arm.state, pool, instance);
    },
    async [Symbol.asyncDispose]() {
      await scenario[Symbol.asyncDispose]();
      await azure.close();
    },
  };
}

/** Writes what a manager reads to find the fake, and gives the flags and variables that name it. */
export async function azureFiles(
  directory: string,
  azure: FakeAzure,
  config: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly provider: readonly string[]; readonly environment: Environment }> {
  const [path, ca] = [join(directory, 'azure.json'), join(directory, 'azure-ca.pem')];
  await writeFile(path, JSON.stringify(azure.config(config)));
  await writeFile(ca, azure.ca);
  return {
    provider: ['--cloud-provider=azure', `--cloud-config=${path}`],
    environment: { NODE_EXTRA_CA_CERTS: ca },
  };
}
