/** A cluster on AWS: the shipped program with upstream's cloud.conf, the real SDK in it, and the fake of EC2 behind that. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { FakeEC2, type FakeInstance, withInstance } from '../../support/ec2/index.ts';
import type { ManagerProcess } from './manager-process.ts';
import type { Scenario } from './scenario.ts';

/** A configuration as operators have it. */
const cloudConf = `[Global]
Zone = eu-west-1a
VPC = vpc-0abcdef1234567890
KubernetesClusterID = blue
DisableSecurityGroupIngress = false
NodeIPFamilies = ipv4
NodeIPFamilies = ipv6
`;

/** The flags of the chart of upstream's manager, and short times. */
const usualFlags: readonly string[] = [
  '--v=2',
  '--configure-cloud-routes=false',
  '--node-monitor-period=1s',
  '--node-status-update-frequency=1s',
  '--node-deletion-grace=2s',
  '--node-deletion-min-age=1s',
];

const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret-of-the-test' };

interface AWSCluster extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly ec2: FakeEC2;
  readonly manager: ManagerProcess;
  /** Starts another manager like the first one. */
  readonly start: () => Promise<ManagerProcess>;
  put(instance: FakeInstance): void;
}

interface AWSClusterOptions {
  readonly credentials?: (scenario: Scenario) => Promise<Environment>;
  readonly flags?: readonly string[];
  /** Called before the manager starts. */
  readonly prepare?: (ec2: FakeEC2) => void;
}

export async function openAWSCluster(
  open: () => Promise<Scenario>,
  { credentials = async () => keys, flags = [], prepare }: AWSClusterOptions = {},
): Promise<AWSCluster> {
  const scenario = await open();
  const ec2 = await FakeEC2.start();
  prepare?.(ec2);
  const config = join(scenario.directory, 'cloud.conf');
  await writeFile(config, cloudConf);
  const environment = { AWS_ENDPOINT_URL_EC2: ec2.url, ...(await credentials(scenario)) };
  const start = (): Promise<ManagerProcess> =>
    scenario.start({
      provider: ['--cloud-provider=aws', `--cloud-config=${config}`],
      flags: [...usualFlags, ...flags],
      environment,
    });
  return {
    scenario,
    ec2,
    manager: await start(),
    start,
    put(instance) {
      ec2.state = withInstance(ec2.state, instance);
    },
    async [Symbol.asyncDispose]() {
      await scenario[Symbol.asyncDispose]();
      await ec2.close();
    },
  };
}
