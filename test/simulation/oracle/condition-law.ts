/**
 * The rules of the condition NetworkUnavailable where routes are managed, held against every write of it: it is
 * written only where it is the manager's (T7), becomes False only on routes that were read back (T5) and True only
 * for a newcomer or on proof (P3), and no node loses its taint without it.
 */
import type { Route, RouteTable } from '@tandem/provider/plug';
import type { RoutePlan } from '../plan/index.ts';
import type { Writer } from './author.ts';
import { contains, isEqual, type NaiveCidr, naiveCidr, valueOf } from './naive-cidr.ts';
import { nodeStateOf, type NodeState } from './node-history.ts';
import { isManaged, leadsTo } from './route-law.ts';
import {
  hasNetworkTaint,
  isTainted,
  networkConditionOf,
  podCIDRsOf,
  type StoredCondition,
  type StoredNode,
} from './stored-node.ts';
import type { Accuse } from './violation.ts';

interface ConditionLawOptions {
  readonly plan: RoutePlan;
  /** Whether the managers of this world give out pod CIDRs. */
  readonly allocates: boolean;
  readonly accuse: Accuse;
}

const ownReasons = new Set(['RouteCreated', 'NoRouteCreated']);

/** Once may be an accident. */
const failuresMin = 2;

export class ConditionLaw {
  readonly #options: ConditionLawOptions;
  readonly #ranges: readonly NaiveCidr[];
  /** After how many lists of which process each Node was last said to be available. */
  readonly #availableAfter = new Map<string, number>();

  constructor(options: ConditionLawOptions) {
    this.#options = options;
    this.#ranges = options.plan.clusterCIDRs.map(naiveCidr);
  }

  /** A manager has written to a node. */
  wrote(before: StoredNode, after: StoredNode, writer: Writer): void {
    if (before.status.conditions !== after.status.conditions) {
      const was = networkConditionOf(before);
      const is = networkConditionOf(after);
      if (was?.status !== is?.status || was?.reason !== is?.reason) {
        this.#lookAtCondition({ before, was, is, writer });
      }
    }
    if (isTainted(before) && !isTainted(after)) this.#lookAtNewcomer(after);
  }

  #lookAtCondition(written: WrittenCondition): void {
    const { before, was, is, writer } = written;
    const { plan, allocates, accuse } = this.#options;
    const { name } = before.metadata;
    const node = nodeStateOf(before);
    const said = `${name} got NetworkUnavailable=${is?.status}/${is?.reason}`;
    if (is === undefined || !ownReasons.has(is.reason))
      return accuse('T7', `${said} from a manager`);
    if (was !== undefined && !ownReasons.has(was.reason)) {
      accuse('T7', `${said}, which was ${was.reason}`);
    }
    // A newcomer is marked before it gets its providerID, and an operator may have paused it a moment ago.
    const isNewcomer = isTainted(before) && was === undefined && is.status === 'True';
    const known = isNewcomer ? { ...node, providerID: 'simulated://', isPaused: false } : node;
    if (!isManaged(plan, known)) accuse('T7', `${said}, and is not to be written to`);
    if (node.cidrs.length === 0 && !(isNewcomer && allocates)) {
      accuse('T7', `${said} without podCIDRs`);
    }
    if (is.status === 'False') this.#lookAtAvailable(said, node, writer);
    else if (!isNewcomer) this.#lookAtUnavailable(said, node, writer);
  }

  /** Every route was in the last list, which began after the last change of it (T5). */
  #lookAtAvailable(said: string, node: NodeState, { author, listing }: Writer): void {
    const { accuse } = this.#options;
    this.#availableAfter.set(`${author.name} ${node.uid}`, author.routes.listings.length);
    if (listing === undefined || listing.tables.length === 0) {
      return accuse('T5', `${said} before any table was listed`);
    }
    for (const cidr of this.#routed(node)) {
      for (const { id, routes } of listing.tables) {
        const route = routes.find((one) => isTo(one, cidr) && leadsTo(one, node));
        if (route === undefined || (route.target.kind === 'instance' && !route.target.ready)) {
          return accuse(
            'T5',
            `${said}, and ${id} listed no route to ${valueOf(cidr)} that forwards`,
          );
        }
        if (author.routes.endedAtMs(valueOf(cidr)) > listing.asOfMs) {
          return accuse(
            'T5',
            `${said} on a list that is older than the last change of ${valueOf(cidr)}`,
          );
        }
      }
    }
  }

  /** The cloud has refused a route, or it has failed twice; a list without routes proves nothing (P3). */
  #lookAtUnavailable(said: string, node: NodeState, { author, listing }: Writer): void {
    const { accuse } = this.#options;
    if (listing === undefined || listing.tables.every(({ routes }) => routes.length === 0)) {
      accuse('P3', `${said} on a list without routes`);
    }
    const { routes } = author;
    const after = this.#availableAfter.get(`${author.name} ${node.uid}`) ?? 0;
    const rounds = new Set<number>();
    for (const cidr of this.#routed(node)) {
      const text = valueOf(cidr);
      if (routes.wasRefusedAfter(text, after)) return;
      for (const round of routes.failedRounds(text)) rounds.add(round);
      for (const [index, { tables }] of routes.listings.entries()) {
        if (tables.some((table) => isBlocked(table, cidr, node))) rounds.add(index + 1);
      }
    }
    const failures = [...rounds].filter((round) => round > after).length;
    if (failures < failuresMin) accuse('P3', `${said} after ${failures} failures`);
  }

  /** Pods are kept away from a node whose routes are still to come. */
  #lookAtNewcomer(after: StoredNode): void {
    const { plan, allocates, accuse } = this.#options;
    const node = nodeStateOf(after);
    const { name } = after.metadata;
    if (!isManaged(plan, node)) return;
    // Where another allocator gives them, they may have come after the manager had looked.
    const isKnown = allocates || plan.registered.has(name);
    const isToCome = podCIDRsOf(after).length === 0 && allocates;
    const isInside = (cidr: NaiveCidr): boolean => this.#ranges.some((one) => contains(one, cidr));
    if (!isToCome && !(isKnown && this.#routed(node).some(isInside))) return;
    const condition = networkConditionOf(after);
    if (condition === undefined) {
      return accuse('T7', `${name} lost its taint without the condition NetworkUnavailable`);
    }
    const isMarked = condition.status === 'True' && ownReasons.has(condition.reason);
    if (isMarked && !hasNetworkTaint(after)) {
      accuse('T7', `${name} lost its taint and got none for its network`);
    }
  }

  /** What the cloud can route and does not route by itself. */
  #routed({ name, cidrs }: NodeState): readonly NaiveCidr[] {
    const { plan } = this.#options;
    const own = plan.podBlocks.get(name);
    return cidrs.filter(
      (cidr) =>
        plan.settings.families.includes(cidr.family) &&
        !own?.[cidr.family].some((block) => isEqual(naiveCidr(block), cidr)),
    );
  }
}

interface WrittenCondition {
  readonly before: StoredNode;
  readonly was: StoredCondition | undefined;
  readonly is: StoredCondition | undefined;
  readonly writer: Writer;
}

export function isTo({ destination }: Route, cidr: NaiveCidr): boolean {
  return destination.includes('/') && isEqual(naiveCidr(destination), cidr);
}

/** Whether the table may have no room for the route, or a route of another owner to its destination. */
function isBlocked({ capacity, routes }: RouteTable, cidr: NaiveCidr, node: NodeState): boolean {
  const there = routes.filter((route) => isTo(route, cidr));
  if (there.some((route) => leadsTo(route, node))) return false;
  return there.length > 0 ? there.every(({ ours }) => !ours) : capacity !== undefined;
}
