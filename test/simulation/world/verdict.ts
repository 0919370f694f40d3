/**
 * Whether a world is as it should be: the nodes by the truth about their machines, the pod CIDRs by the stored
 * nodes, and then what the manager says of both in its metrics (P6, I6).
 */
import { nodeMetricTable } from '@tandem/controllers/node';
import { ipamMetricTable } from '@tandem/controllers/node-ipam';
import type { Store } from '@tandem/devcluster/store';
import type { RouteTable } from '@tandem/provider/plug';
import type { SimulatedRoutes } from '@tandem/provider-simulated';
import {
  type Overseer,
  type PodCIDRVerdict,
  judgePodCIDRs,
  routeDifferencesOf,
  judgeNodes,
  strayRoutesOf,
  type Truth,
} from '../oracle/index.ts';
import type { WorldPlan } from '../plan/index.ts';
import type { Managers } from './managers.ts';

interface VerdictOptions {
  readonly store: Store;
  readonly truth: Truth;
  readonly plan: WorldPlan;
  /** Of the cloud, where it has tables. */
  readonly routes: SimulatedRoutes | undefined;
  readonly overseer: Overseer;
  readonly managers: Managers;
}

export class Verdict {
  readonly #options: VerdictOptions;

  constructor(options: VerdictOptions) {
    this.#options = options;
  }

  /** All that is not as it should be; metrics count only once everything else is right. */
  differences(): readonly string[] {
    const { differences, refused } = this.#nodes();
    if (differences.length > 0) return differences;
    const miscounts = this.#miscounts(nodeMetricTable.refusedNodes, refused, 'P6');
    return [...miscounts, ...this.podCIDRDifferences(), ...this.routeDifferences()];
  }

  /** What is not as it should be with this node. */
  differenceOf(name: string): string | undefined {
    return this.#nodes().differences.find((text) => text.startsWith(`${name} `));
  }

  /** Whether the manager has told of its pools; one that was started a moment ago has not. */
  get hasCounts(): boolean {
    const said = this.#options.managers.leader?.metrics.readingsOf(ipamMetricTable.poolBlocks);
    return said !== undefined && said.size > 0;
  }

  podCIDRDifferences(): readonly string[] {
    const standing = this.podCIDRs();
    if (standing === undefined) return [];
    const { differences, blocks, disputed, problems, waiting } = standing;
    if (differences.length > 0) return differences;
    return [
      ...this.#miscounts(ipamMetricTable.poolBlocks, this.#withDisputes(blocks, disputed), 'I6'),
      ...this.#miscounts(ipamMetricTable.podCIDRProblems, problems, 'P6'),
      ...this.#miscounts(ipamMetricTable.waitingNodes, new Map([['', waiting]]), 'P6'),
    ];
  }

  /** Undefined where the manager gives out no pod CIDRs. */
  podCIDRs(): PodCIDRVerdict | undefined {
    const { store, plan, overseer } = this.#options;
    if (plan.allocation === undefined) return undefined;
    const hasWarned = (uid: string, reason: string): boolean => overseer.hasWarned(uid, reason);
    const strays =
      plan.routes === undefined ? [] : strayRoutesOf({ store, tables: this.#tables() });
    return judgePodCIDRs({ store, plan: plan.allocation, hasWarned, strays });
  }

  /** Of a disputed range the manager alone knows how many blocks are in doubt. */
  #withDisputes(
    blocks: ReadonlyMap<string, number>,
    disputed: ReadonlySet<string>,
  ): ReadonlyMap<string, number> {
    const said = this.#options.managers.leader?.metrics.readingsOf(ipamMetricTable.poolBlocks);
    const isDisputed = (label: string): boolean =>
      disputed.has(label.slice(0, label.lastIndexOf(' ')));
    return new Map(
      Array.from(blocks, ([label, count]) => [
        label,
        isDisputed(label) ? (said?.get(label) ?? 0) : count,
      ]),
    );
  }

  #tables(): readonly RouteTable[] {
    const { plan, routes } = this.#options;
    const { tables = [] } = plan.routes?.settings ?? {};
    return tables.map((table) => ({ ...table, routes: routes?.routesOf(table.id) ?? [] }));
  }

  routeDifferences(): readonly string[] {
    const { store, plan, overseer, managers } = this.#options;
    if (plan.routes === undefined) return [];
    return routeDifferencesOf({
      store,
      plan: plan.routes,
      tables: this.#tables(),
      hasWarned: (uid, reason) => overseer.hasWarned(uid, reason),
      heard: managers.leader?.routes,
    });
  }

  #nodes(): ReturnType<typeof judgeNodes> {
    const { store, truth, plan, overseer, managers } = this.#options;
    return judgeNodes({
      store,
      truth,
      machines: plan.machines,
      hasWarned: (uid, reason) => overseer.hasWarned(uid, reason),
      hasFound: (uid) => managers.leader?.evidence.hasFound(uid) ?? false,
    });
  }

  /** What a gauge shows that is not so. One that was never set shows 0. */
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
