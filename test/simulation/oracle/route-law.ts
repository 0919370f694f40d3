/**
 * The rules of route tables (T1 to T3, P5), held against every change that a manager asks of its cloud, when it asks.
 * What a manager may know of nodes is what its cache had reached when it began to list: no more is demanded of it,
 * and no less.
 */
import type { Route, RouteOperation } from '@tandem/provider/plug';
import { type PodFamily, routeLabel, type RoutePlan, unmanagedLabel } from '../plan/index.ts';
import type { Author } from './author.ts';
import { contains, isEqual, naiveCidr, valueOf } from './naive-cidr.ts';
import { NodeHistory, type NodeState } from './node-history.ts';
import type { StoredNode } from './stored-node.ts';
import { machineKeyOf } from './truth.ts';
import type { Accuse } from './violation.ts';

interface RouteLawOptions {
  readonly plan: RoutePlan;
  readonly accuse: Accuse;
  /** What is true of a route. */
  readonly find: (table: string, id: string) => Route | undefined;
}

export class RouteLaw {
  readonly #options: RouteLawOptions;
  readonly #history = new NodeHistory();
  #isQuiet = false;

  constructor(options: RouteLawOptions) {
    this.#options = options;
  }

  /** Whether no change is to be asked for from now on (P5). */
  expectSilence(isQuiet: boolean): void {
    this.#isQuiet = isQuiet;
  }

  changed(before: StoredNode | undefined, after: StoredNode, version: number): void {
    this.#history.changed(before, after, version);
  }

  gone(uid: string, version: number): void {
    this.#history.gone(uid, version);
  }

  /** The value of the destination that is changed; undefined where it is none of the manager's. */
  destinationOf(operation: RouteOperation): string | undefined {
    const text = this.#textOf(operation);
    if (text === undefined || !isInScope(this.#options.plan, text)) return undefined;
    return valueOf(naiveCidr(text));
  }

  /** A process asks for a change. */
  asked({ routes }: Pick<Author, 'routes'>, operation: RouteOperation): void {
    const { accuse, plan } = this.#options;
    const said = JSON.stringify(operation);
    if (this.#isQuiet) accuse('P5', `a converged world: ${said}`);
    const route = this.#routeOf(operation);
    const text = this.#textOf(operation);
    if (text === undefined) return;
    if (route !== undefined && !route.ours && route.target.kind !== 'blackhole') {
      accuse('T3', `a route of another owner to ${text}: ${said}`);
    }
    if (!isInScope(plan, text)) {
      accuse('T3', `${text} is outside the cluster CIDRs, or not routed: ${said}`);
      return;
    }
    if (operation.kind !== 'delete') this.#lookAtEnd(operation, text, routes.seenVersion);
    if (route !== undefined) this.#lookAtLoss(route, operation, routes.seenVersion);
  }

  #routeOf(operation: RouteOperation): Route | undefined {
    if (operation.kind === 'create') return undefined;
    return this.#options.find(operation.table, operation.route);
  }

  #textOf(operation: RouteOperation): string | undefined {
    if (operation.kind === 'create') return operation.destination;
    return this.#routeOf(operation)?.destination;
  }

  /** No route leads to a node that does not have the addresses (T1), or whose machine another Node holds (P2). */
  #lookAtEnd(
    { kind, to }: RouteOperation & { readonly kind: 'create' | 'replace' },
    text: string,
    seenVersion: number,
  ): void {
    const { plan, accuse } = this.#options;
    const destination = naiveCidr(text);
    const { family } = destination;
    const isEnd = (state: NodeState): boolean =>
      isManaged(plan, state) &&
      machineKeyOf(state.providerID) === to.key &&
      state.cidrs.some((cidr) => isEqual(cidr, destination)) &&
      state.hops[family] === to.addresses[family];
    const said = `${kind} ${text} to ${JSON.stringify(to)}`;
    const findRival = (state: NodeState): NodeState | undefined =>
      this.#history.findLasting(seenVersion, (other) => isOutranked(state, [other]));
    if (!this.#history.wasSince(seenVersion, isEnd)) {
      accuse('T1', `${said}, which does not have it`);
    } else if (
      !this.#history.wasSince(seenVersion, (one) => isEnd(one) && findRival(one) === undefined)
    ) {
      accuse('P2', `${said}, whose machine another Node holds`);
    }
  }

  /** No route goes, or leads elsewhere, that a node needs (T2). */
  #lookAtLoss(route: Route, operation: RouteOperation, seenVersion: number): void {
    const destination = naiveCidr(route.destination);
    const to = operation.kind === 'replace' ? operation.to.key : undefined;
    const loser = this.#history.findLasting(
      seenVersion,
      (state) =>
        state.cidrs.some((cidr) => isEqual(cidr, destination)) &&
        leadsTo(route, state) &&
        to !== machineKeyOf(state.providerID),
    );
    if (loser === undefined) return;
    const said = JSON.stringify(operation);
    this.#options.accuse('T2', `${loser.name} needs the route to ${route.destination}: ${said}`);
  }
}

/** Whether routes to the destination are the manager's to change. */
export function isInScope({ clusterCIDRs, settings }: RoutePlan, text: string): boolean {
  if (!text.includes('/')) return false;
  const destination = naiveCidr(text);
  const isInside = clusterCIDRs.some((range) => contains(naiveCidr(range), destination));
  return isInside && settings.families.includes(destination.family);
}

/** Whether the manager is to give the node routes: it is of its cloud, selected and not paused. */
export function isManaged(plan: RoutePlan, { providerID, labels, isPaused }: NodeState): boolean {
  const isOurs = providerID.startsWith('simulated://') && labels[unmanagedLabel] !== 'true';
  const isSelected = plan.selected === undefined || labels[routeLabel.key] === routeLabel.value;
  return isOurs && isSelected && !isPaused;
}

/** Whether another Node holds the machine that this one says it is, so that this one gets no routes (P2). */
export function isOutranked(node: NodeState, others: readonly NodeState[]): boolean {
  return others.some((other) => isOfOneMachine(node, other) && other.rank < node.rank);
}

function isOfOneMachine(one: NodeState, other: NodeState): boolean {
  const isOther = one.uid !== other.uid && one.providerID !== '';
  return isOther && machineKeyOf(one.providerID) === machineKeyOf(other.providerID);
}

/** Whether what is sent along the route arrives at the node, once its machine forwards. */
export function leadsTo({ target, destination }: Route, { providerID, hops }: NodeState): boolean {
  const family: PodFamily = destination.includes(':') ? 'IPv6' : 'IPv4';
  if (target.kind === 'instance') return target.key === machineKeyOf(providerID);
  return target.kind === 'address' && target.address === hops[family];
}
