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

/** The flags of the chart of upstream's manager, and short times. */
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
  /** Further fields of azure.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Prepares credentials, and returns the environment variables for them. */
  readonly credentials?: (scenario: Scenario, azure: FakeAzure) => Promise<Environment>;
  /** Puts a proxy between the manager and the API server, and prepares it. */
  readonly through?: (proxy: CuttingProxy, azure: FakeAzure) => void;
  /** Prepares Azure before the manager starts. */
  readonly before?: (azure: FakeAzure) => void;
}

export interface AzureCluster extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly azure: FakeAzure;
  readonly manager: ManagerProcess;
  /** Adds or replaces the machine. */
  put(machine: FakeMachine): void;
  putInstance(instance: FakeInstance): void;
}

export const pool: FakeScaleSet = aScaleSet('pool');

/** The name of the instance's node is `pool00000n`. */
export function anInstanceOfPool(
  number: number,
  changes: Partial<FakeInstance> = {},
): FakeInstance {
  return anInstance('pool', number, changes);
}

export const nodeNameOf = ({ computerName }: FakeInstance | FakeMachine): string =>
  computerName.toLowerCase();

/** An interface as with Azure CNI: it has addresses of pods beside those of the node. */
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

/** Writes the files by which a manager finds the fake, and returns the flags and variables that name them. */
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
