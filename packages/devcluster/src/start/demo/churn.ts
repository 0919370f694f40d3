/**
 * Adds and removes machines at random times that follow from the seed. The manager deletes the nodes of the
 * removed machines.
 */
import { type Random, sleep, type Clock } from '@tandem/runtime';
import { type CloudStack, furtherMachine } from '../machines/index.ts';
import type { DemoCluster } from './demo-cluster.ts';

interface ChurnOptions {
  readonly demo: DemoCluster;
  readonly clock: Clock;
  readonly random: Random;
  readonly stack: CloudStack;
  /** The number of the first machine that comes. */
  readonly firstNumber: number;
}

/** Between two changes. */
const pauseMs = { min: 1_000, max: 4_000 };
/** From this number of machines on, each change removes one. */
const upMax = 6;

export async function runChurn(options: ChurnOptions, signal: AbortSignal): Promise<void> {
  const { demo, clock, random, stack } = options;
  const up: string[] = [];
  let number = options.firstNumber;
  while (!signal.aborted) {
    const { min, max } = pauseMs;
    await sleep(clock, min + random.next() * (max - min), signal).catch(() => undefined);
    if (signal.aborted) return;
    const goes = up.length >= upMax || (up.length > 0 && random.next() < 0.4);
    if (goes) {
      const [name = ''] = up.splice(Math.floor(random.next() * up.length), 1);
      await demo.takeDown(name);
    } else {
      const machine = furtherMachine({ number: number++, stack, random });
      demo.addMachine(machine);
      up.push(machine.name);
    }
  }
}
