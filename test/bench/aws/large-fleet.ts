/**
 * The large fleet: cold starts with EC2 and with the provider static in turns, one refresh of all nodes, and the longest
 * time for which the event loop was blocked from the first call to EC2 on.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from '@tandem/runtime';
import { aRegisteredNode, staticInventory } from '../contest/fleet.ts';
import { measureInTurns } from '../contest/in-turns.ts';
import { withContender } from '../contest/run.ts';
import {
  type ColdStart,
  describeCalls,
  measureColdStart,
  measureStarted,
  takeCalls,
} from './cold-start.ts';
import { aBusyInstance, withFleet } from './instances.ts';
import type { AWSBench } from './aws-bench.ts';
import type { AWSSettings } from './settings.ts';

export interface LargeFleetFigures {
  readonly onStatic: readonly ColdStart[];
  readonly onAWS: readonly ColdStart[];
  readonly refreshCalls: number;
  readonly blockMsMax: number;
  readonly blockCpuMsMax: number;
}

export async function measureLargeFleet(
  scene: AWSBench,
  folder: string,
  { nodes, rounds, refreshSeconds }: AWSSettings,
): Promise<LargeFleetFigures> {
  const { cluster, ec2, blocks } = scene;
  const { clock, say } = cluster.ports;
  await cluster.wipe();
  say(`registering ${nodes} nodes`);
  await cluster.register(nodes, aRegisteredNode);
  const instances = Array.from({ length: nodes }, (_, number) => aBusyInstance(number));
  ec2.state = withFleet(ec2.state, instances);
  const inventory = join(folder, 'inventory.yaml');
  await writeFile(inventory, staticInventory(nodes));
  const flags = [`--node-status-update-frequency=${refreshSeconds}s`];
  const aws = scene.tandem('Tandem, aws', flags);
  const [onStatic = [], onAWS = []] = await measureInTurns(cluster.ports, {
    contenders: [scene.tandemOnStatic(inventory, flags), aws],
    rounds,
    measure: (contender) => measureColdStart(scene, contender, nodes),
  });
  await blocks.clear();
  return withContender(cluster, aws, async (running) => {
    const firstCallMs = await firstCall(scene);
    await measureStarted(scene, running, nodes);
    await sleep(clock, refreshSeconds * 1_000);
    const refresh = takeCalls(ec2);
    say(`  a refresh: ${describeCalls(refresh)}`);
    const { wallMs, cpuMs } = await blocks.longestSince(firstCallMs);
    return {
      onStatic,
      onAWS,
      refreshCalls: refresh.length,
      blockMsMax: wallMs,
      blockCpuMsMax: cpuMs,
    };
  });
}

/** Before it, modules are loaded, which blocks the event loop while nothing waits. By the wall clock. */
async function firstCall({ cluster, ec2 }: AWSBench): Promise<number> {
  const { clock } = cluster.ports;
  while (ec2.calls.length === 0) await sleep(clock, 5);
  return clock.now();
}
