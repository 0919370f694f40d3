/**
 * Writes the condition NetworkUnavailable of every node for which the last list gives a definite answer, and of no
 * other node.
 */
import {
  type NetworkConditionWrite,
  type NodeRoutes,
  planNetworkCondition,
  type RoutePlan,
  withVerdict,
} from '@tandem/core/routes';
import { conditionPatch, type NodeProjection } from '@tandem/kube/node';
import type { Listing } from '@tandem/provider/routes';
import { Limiter } from '@tandem/runtime';
import type { Next, NodeLoop, Turn } from '../loop/index.ts';
import { conditionAction } from './forecast.ts';
import type { RouteControllerOptions } from './options.ts';
import { isAsJudged, type RouteNodeRecord, type RouteState } from './route-state.ts';

type Listed = Extract<Listing, { kind: 'listed' }>;

/** The number of conditions that are written at the same time. */
const writesMax = 16;

/** Plans the condition of a node in its current state; undefined if there is nothing to write. */
type ConditionPlan = (node: NodeProjection) => NetworkConditionWrite | undefined;

export class NetworkConditions {
  readonly #options: Pick<RouteControllerOptions, 'nodes' | 'clock' | 'logger'>;
  readonly #loop: NodeLoop<RouteState>;
  readonly #writers: Limiter = new Limiter({ concurrency: writesMax });

  constructor(
    options: Pick<RouteControllerOptions, 'nodes' | 'clock' | 'logger'>,
    loop: NodeLoop<RouteState>,
  ) {
    this.#options = options;
    this.#loop = loop;
  }

  /** Writes the conditions, and returns the next steps for the nodes whose condition could not be written. */
  async write(listing: Listed, plan: RoutePlan, signal: AbortSignal): Promise<readonly Next[]> {
    const writing = Array.from(plan.nodes.values(), async (routes) => {
      const record = this.#loop.records.get(routes.uid);
      if (record === undefined) return settled;
      record.state.history = withVerdict(record.state.history, routes.verdict);
      const planFor = conditionPlan(record, routes, listing);
      const cached = this.#options.nodes.get(record.name);
      if (cached === undefined || planFor(cached) === undefined) return settled;
      // The writers check the signal themselves: thousands of abort listeners would be slow, and stopping is not an
      // error.
      return this.#writers.run(async () =>
        signal.aborted ? settled : this.#loop.turn(record, (turn) => this.#writeTo(turn, planFor)),
      );
    });
    return (await Promise.all(writing)).filter(({ kind }) => kind !== 'settled');
  }

  /** Returns the conditions that a pass would write, by the UID of the node. */
  planned(listing: Listed, plan: RoutePlan): ReadonlyMap<string, NetworkConditionWrite> {
    const writes = new Map<string, NetworkConditionWrite>();
    for (const routes of plan.nodes.values()) {
      const record = this.#loop.records.get(routes.uid);
      const node = record && this.#options.nodes.get(record.name);
      const write = node && conditionPlan(record, routes, listing)(node);
      if (write !== undefined) writes.set(routes.uid, write);
    }
    return writes;
  }

  async #writeTo(turn: Turn<RouteState>, planFor: ConditionPlan): Promise<Next> {
    const { node, record } = turn;
    const planned = planFor(node);
    if (planned === undefined) return settled;
    const { condition, why: reason } = planned;
    const { name, uid, resourceVersion } = node;
    const atMs = this.#options.clock.now();
    const patch = conditionPatch({ name, uid, resourceVersion, condition, atMs });
    const facts = {
      condition: `${condition.type}=${condition.status}`,
      why: condition.reason,
      reason,
    };
    const write = { action: conditionAction(planned), patch, describe: () => facts };
    record.state.written = condition;
    const written = await this.#loop.write(turn, [write]);
    switch (written.kind) {
      case 'stored':
        this.#options.logger.info({ node: name, ...facts }, 'Wrote network condition');
        return settled;
      case 'dryRun':
        return settled;
      case 'refused':
        return this.#loop.afterRefusal(record);
      case 'ended':
        return written.next;
    }
  }
}

const settled: Next = { kind: 'settled' };

function conditionPlan(
  record: RouteNodeRecord,
  { verdict }: NodeRoutes,
  listing: Listed,
): ConditionPlan {
  const { state } = record;
  return (node) => {
    const condition = node.networkUnavailable;
    const planned = planNetworkCondition({ condition, verdict, history: state.history, listing });
    return planned && isAsJudged(state, node) ? planned : undefined;
  };
}
