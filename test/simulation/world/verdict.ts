/**
 * Whether a world is as it shall be: the nodes by the truth about their machines, the pod CIDRs by the stored
 * nodes, and then what the manager says of both in its metrics (P6, I6).
 */
import { refusedNodes } from '@tandem/controllers/node';
import { podCIDRProblems, poolBlocks, waitingNodes } from '@tandem/controllers/node-ipam';
import type { Store } from '@tandem/devcluster/store';
import {
  type Overseer,
  type PodCIDRStanding,
  podCIDRStandingOf,
  standingOf,
  type Truth,
} from '../oracle/index.ts';
import type { WorldPlan } from '../plan/index.ts';
import type { Managers } from './managers.ts';

export interface VerdictOptions {
  readonly store: Store;
  readonly truth: Truth;
  readonly plan: WorldPlan;
  readonly overseer: Overseer;
  readonly managers: Managers;
}

export class Verdict {
  readonly #options: VerdictOptions;

  constructor(options: VerdictOptions) {
    this.#options = options;
  }

  /** All that is not as it shall be; metrics are asked only once everything else is. */
  differences(): readonly string[] {
    const { differences, refused } = this.#nodes();
    if (differences.length > 0) return differences;
    const miscounts = this.#miscounts(refusedNodes, refused, 'P6');
    return [...miscounts, ...this.podCIDRDifferences()];
  }

  /** What is not as it shall be with this node. */
  differenceOf(name: string): string | undefined {
    return this.#nodes().differences.find((text) => text.startsWith(`${name} `));
  }

  /** Whether the manager has told of its pools; one that was started a moment ago has not. */
  get hasCounts(): boolean {
    const said = this.#options.managers.leader?.metrics.readingsOf(poolBlocks);
    return said !== undefined && said.size > 0;
  }

  podCIDRDifferences(): readonly string[] {
    const standing = this.podCIDRs();
    if (standing === undefined) return [];
    const { differences, blocks, problems, waiting } = standing;
    if (differences.length > 0) return differences;
    return [
      ...this.#miscounts(poolBlocks, blocks, 'I6'),
      ...this.#miscounts(podCIDRProblems, problems, 'P6'),
      ...this.#miscounts(waitingNodes, new Map([['', waiting]]), 'P6'),
    ];
  }

  /** Undefined where the manager gives out no pod CIDRs. */
  podCIDRs(): PodCIDRStanding | undefined {
    const { store, plan, overseer } = this.#options;
    if (plan.allocation === undefined) return undefined;
    const hasWarned = (uid: string, reason: string): boolean => overseer.hasWarned(uid, reason);
    return podCIDRStandingOf({ store, plan: plan.allocation, hasWarned });
  }

  #nodes(): ReturnType<typeof standingOf> {
    const { store, truth, plan, overseer, managers } = this.#options;
    return standingOf({
      store,
      truth,
      machines: plan.machines,
      hasWarned: (uid, reason) => overseer.hasWarned(uid, reason),
      hasFound: (uid) => managers.leader?.evidence.hasFound(uid) ?? false,
    });
  }

  /** What a gauge says that is not so. One that was never set says nought. */
  #miscounts(
    metric: { readonly name: string },
    wanted: ReadonlyMap<string, number>,
    rule: 'P6' | 'I6',
  ): readonly string[] {
    const said = this.#options.managers.leader?.metrics.readingsOf(metric) ?? new Map();
    const labels = new Set([...said.keys(), ...wanted.keys()]);
    const textOf = (readings: ReadonlyMap<string, number>): string =>
      [...labels]
        .toSorted((a, b) => (a < b ? -1 : 1))
        .flatMap((label) => (readings.get(label) ? [`${label}=${readings.get(label)}`] : []))
        .join();
    if (textOf(said) === textOf(wanted)) return [];
    return [`${metric.name} says ${textOf(said)}, not ${textOf(wanted)} (${rule})`];
  }
}
