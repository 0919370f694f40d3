/**
 * The contenders that give nodes their pod CIDRs: the bare client, upstream's kube-controller-manager with
 * its node-ipam controller alone, and Tandem with that controller alone and with all of its controllers.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceRanges } from '../../control-plane/api-server.ts';
import { goPrograms, requireGoProgram } from '../../support/go-program.ts';
import { bundleForBench } from '../bundle.ts';
import { bareClient } from '../contest/bare-client.ts';
import type { Contender } from '../contest/contender.ts';
import { staticInventory } from '../contest/fleet.ts';
import { startProgram } from '../contest/start-program.ts';
import { tandem } from '../contest/tandem.ts';

export interface Contenders {
  readonly bare: Contender;
  readonly tandem: Contender;
  readonly upstream: Contender;
  readonly upstreamDefault: Contender;
  readonly tandemAll: Contender;
}

export async function prepareContenders(setup: {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly nodes: number;
}): Promise<Contenders> {
  const { folder, kubeconfig, nodes } = setup;
  const manager = await requireGoProgram(goPrograms.kubeControllerManager);
  const source = join(import.meta.dirname, 'bare-client', 'main.ts');
  const bundled = await bundleForBench(folder, { 'bare-client': source });
  const inventory = join(folder, 'inventory.yaml');
  await writeFile(inventory, staticInventory(nodes));
  // Neither manager needs to know machines to allocate from the ranges.
  const noMachines = join(folder, 'no-machines.yaml');
  await writeFile(noMachines, `${staticInventory(0)}  []\n`);
  const logFile = join(folder, 'log');
  const upstream = (name: string, flags: readonly string[]): Contender => ({
    name,
    start: () => startProgram([manager, ...upstreamFlags(kubeconfig), ...flags], logFile),
  });
  const ofTandem = { kubeconfig, inventory, logFile };
  return {
    bare: bareClient({ program: bundled('bare-client'), kubeconfig, nodes, logFile }),
    tandem: tandem({
      ...ofTandem,
      inventory: noMachines,
      flags: [...tandemFlags, `--controllers=${controller}`],
    }),
    upstream: upstream('kube-controller-manager, limits lifted', liftedLimits),
    upstreamDefault: upstream('kube-controller-manager, default flags', []),
    tandemAll: tandem({ ...ofTandem, name: 'Tandem, all controllers', flags: tandemFlags }),
  };
}

/** The same name in both managers. */
const controller = 'node-ipam-controller';

const sharedFlags = [
  '--allocate-node-cidrs',
  '--node-cidr-mask-size-ipv4=24',
  '--node-cidr-mask-size-ipv6=64',
  `--service-cluster-ip-range=${serviceRanges.join(',')}`,
] as const;

const tandemFlags = [...sharedFlags, '--cluster-cidr=10.0.0.0/8,fd00::/32'] as const;

function upstreamFlags(kubeconfig: string): string[] {
  return [
    ...sharedFlags,
    // Tandem gets a /32. Upstream refuses more than 16 bits between an IPv6 range and its blocks.
    '--cluster-cidr=10.0.0.0/8,fd00::/48',
    `--controllers=${controller}`,
    `--kubeconfig=${kubeconfig}`,
    // Nothing asks it anything, and two benches may run on one machine.
    '--secure-port=0',
  ];
}

const liftedLimits = ['--kube-api-qps=5000', '--kube-api-burst=5000'] as const;
