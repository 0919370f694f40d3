/** The stage of the bench: one API server, one fake of EC2, and the programs that talk to both. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@tandem/runtime';
import { FakeEC2 } from '../../support/ec2/index.ts';
import { goPrograms, requireGoProgram } from '../../support/go-program.ts';
import type { Cluster } from '../contest/cluster.ts';
import type { Contender } from '../contest/contender.ts';
import { BlockLog } from '../contest/event-loop/block-log.ts';
import { startProgram } from '../contest/start-program.ts';
import { tandem } from '../contest/tandem.ts';
import { clusterId, region } from './instances.ts';

export interface AWSBench {
  readonly cluster: Cluster;
  readonly ec2: FakeEC2;
  readonly blocks: BlockLog;
  tandem(name: string, flags?: readonly string[]): Contender;
  /** The provider static, with the inventory of that file. */
  tandemOnStatic(inventory: string, flags?: readonly string[]): Contender;
  /** With its limits on calls to the API server lifted. */
  upstream(name: string, flags?: readonly string[]): Contender;
}

export async function openAWSBench(cluster: Cluster, folder: string): Promise<AWSBench> {
  const upstreamProgram = await requireGoProgram(goPrograms.upstreamAWSManager);
  const ec2 = await FakeEC2.start(region);
  cluster.closers.add(() => ec2.close());
  const { kubeconfig } = cluster.controlPlane;
  const blocks = await BlockLog.prepare(folder);
  const config = join(folder, 'cloud.conf');
  await writeFile(config, cloudConf(ec2.url));
  const credentials: Environment = {
    AWS_ACCESS_KEY_ID: ec2.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const logFile = join(folder, 'log');
  const ofTandem = (provider: string, inventory: string, environment: Environment) =>
    ({ kubeconfig, provider, inventory, environment, logFile }) as const;
  return {
    cluster,
    ec2,
    blocks,
    tandem: (name, flags = []) =>
      tandem({
        ...ofTandem('aws', config, { ...credentials, ...blocks.environment }),
        name,
        flags: [...sharedFlags, ...flags],
      }),
    tandemOnStatic: (inventory, flags = []) =>
      tandem({
        ...ofTandem('static', inventory, blocks.environment),
        name: 'Tandem, static',
        flags: [...sharedFlags, ...flags],
      }),
    upstream: (name, flags = []) => ({
      name,
      start: () =>
        startProgram(
          [
            upstreamProgram,
            '--cloud-provider=aws',
            `--cloud-config=${config}`,
            `--kubeconfig=${kubeconfig}`,
            ...sharedFlags,
            ...liftedLimits,
            ...flags,
          ],
          logFile,
          credentials,
        ),
    }),
  };
}

/** Two benches may run on one machine. */
const sharedFlags = ['--secure-port=0'] as const;

const liftedLimits = ['--kube-api-qps=5000', '--kube-api-burst=5000'] as const;

/**
 * Of both managers. With a VPC and a subnet upstream does not ask for an instance that it runs on. It takes the name
 * of the service in capitals only.
 */
function cloudConf(url: string): string {
  return `[Global]
Region = ${region}
KubernetesClusterID = ${clusterId}
VPC = vpc-0abcdef1234567890
SubnetID = subnet-0abcdef1234567890
NodeIPFamilies = ipv4
NodeIPFamilies = ipv6

[ServiceOverride "1"]
Service = EC2
Region = ${region}
URL = ${url}
SigningRegion = ${region}
SigningName = ec2
`;
}
