/** A demo and everything that observes it, as the command line asks for. */
import { type Clock, createLogger } from '@tandem/runtime';
import { seededRandom } from '@tandem/runtime/testing';
import { Board } from './board/index.ts';
import { LogTail } from './log-tail.ts';
import {
  furtherMachine,
  kepMachines,
  type Machine,
  oddMachines,
  withRoutes,
} from './machines/index.ts';
import type { DemoOptions } from './options/index.ts';
import { type UserEdits, Progress } from './progress.ts';
import { DemoCluster } from './demo/index.ts';

export interface ObservedDemo {
  readonly demo: DemoCluster;
  readonly board: Board;
  readonly progress: Progress;
  readonly logTail: LogTail;
}

export function observeDemo(
  options: DemoOptions,
  ports: {
    readonly clock: Clock;
    readonly log: ((line: string) => unknown) | undefined;
    readonly userEdits: UserEdits;
  },
  machines: readonly Machine[] = machinesOf(options),
): ObservedDemo {
  const { clock, log, userEdits } = ports;
  const { seed, faults, churn } = options;
  const logTail = new LogTail(log);
  const logger = createLogger({ clock, destination: logTail });
  const demo = new DemoCluster({ clock, logger, seed, machines, faults, churn });
  const board = new Board({
    store: demo.cluster.store,
    findNodeIP: (name) => demo.findMachine(name)?.nodeIP ?? null,
    findAddresses: (name) => demo.findAddresses(name),
    rankOf: (name) => ranks.get(demo.findMachine(name)?.group) ?? ranks.size,
  });
  return { demo, board, logTail, progress: new Progress({ machines, board, clock, userEdits }) };
}

/** The rows of the KEP come first, and nodes that users made come last. */
const ranks: ReadonlyMap<Machine['group'] | undefined, number> = new Map([
  ['KEP-3705', 0],
  ['odd', 1],
  ['further', 2],
]);

function machinesOf({ nodes, stack, seed }: DemoOptions): readonly Machine[] {
  const random = seededRandom(`${seed}/further`);
  const further = Array.from({ length: nodes }, (_, index) =>
    furtherMachine({ number: index + 1, stack, random }),
  );
  return [...[...kepMachines, ...oddMachines].map(withRoutes), ...further];
}
