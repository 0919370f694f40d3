/**
 * Machines that come and go: at times drawn from the seed one more comes up, or one that is up is taken
 * from the cloud for good. Its kubelet's last word is that it is not ready; that its node goes is left to
 * the manager.
 */
import { type Random, sleep, type Clock } from '@tandem/runtime';
import { type CloudStack, furtherMachine } from '../machines/index.ts';
import type { SimulatedKubelet } from '../../kubelet/index.ts';
import type { Scene } from './scene.ts';

export interface ChurnOptions {
  readonly scene: Scene;
  readonly clock: Clock;
  readonly random: Random;
  readonly stack: CloudStack;
  /** The number of the first machine that comes. */
  readonly firstNumber: number;
}

/** Between one coming or going and the next. */
const pauseMs = { min: 1_000, max: 4_000 };
/** From so many on, as many go as come. */
const upMax = 6;

interface Up {
  readonly kubelet: SimulatedKubelet;
  readonly off: AbortController;
}

export async function runChurn(options: ChurnOptions, signal: AbortSignal): Promise<void> {
  const { clock, random } = options;
  const up: Up[] = [];
  let number = options.firstNumber;
  while (!signal.aborted) {
    const { min, max } = pauseMs;
    await sleep(clock, min + random.next() * (max - min), signal).catch(() => undefined);
    if (signal.aborted) return;
    const goes = up.length >= upMax || (up.length > 0 && random.next() < 0.4);
    if (goes) await takeDown(options, up, signal);
    else up.push(bringUp(options, number++, signal));
  }
}

function bringUp(options: ChurnOptions, number: number, signal: AbortSignal): Up {
  const { scene, stack, random } = options;
  const off = new AbortController();
  const machine = furtherMachine({ number, stack, random: random.fork(`machine-${number}`) });
  return { off, kubelet: scene.addMachine(machine, AbortSignal.any([signal, off.signal])) };
}

async function takeDown(
  { scene, random }: ChurnOptions,
  up: Up[],
  signal: AbortSignal,
): Promise<void> {
  const [one] = up.splice(Math.floor(random.next() * up.length), 1);
  if (one === undefined) return;
  scene.cloud.terminate(one.kubelet.name);
  await one.kubelet.setReady('notReady', signal).catch(() => undefined);
  one.off.abort();
}
