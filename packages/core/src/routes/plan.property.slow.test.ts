/**
 * Properties of route plans for generated cases, against a second implementation that is simple and
 * slow. Operations are applied in any order and only in part, as clouds and crashes do.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { overlaps } from '../ip/index.ts';
import type { ListedRoute, ListedTable } from './listing.ts';
import {
  arrivesAt,
  isBarred,
  isInScope,
  isRoutable,
  isRoutedByCloud,
  isSame,
  isServed,
  mayBeTouched,
  naiveCidrs,
  naivelyUndecided,
  naiveRoom,
  type NaiveWant,
  naiveWants,
  routesTo,
  stands,
} from './naive-routes.fixture.ts';
import type { RoutedNode } from './node.ts';
import type { PlannedOperation } from './operation.ts';
import { planRoutes, type RoutePlanInput } from './plan.ts';
import {
  anyCase,
  build,
  inOrder,
  longSpelling,
  orderKeys,
  shuffled,
  tidyCase,
  type RoutingCase,
} from './routing-case.fixture.ts';
import { applied, cidr, operationTexts } from './routes.fixture.ts';
import { assertHits } from '../../../../test/support/hits.ts';

const runs = { numRuns: 2_000 };

describe('for any nodes and tables', () => {
  it('every operation is safe after any others of its plan (T1, T2, T3)', () => {
    fc.assert(
      fc.property(anyCase, orderKeys, (spec, keys) => {
        const input = build(spec);
        const needs = liveNeeds(input);
        let { tables } = input;
        for (const planned of inOrder(planRoutes(input).operations, keys)) {
          assertLegal({ ...input, tables }, planned);
          const before = tables;
          tables = applied(tables, planned, spec.targets);
          assertStillServed(needs, { before, after: tables });
          assertWithinCapacity(planned, tables);
        }
      }),
      runs,
    );
  });

  it('successive plans reach exactly the wanted routes, and then do nothing (T4)', () => {
    fc.assert(
      fc.property(anyCase, (spec) => {
        const input = converged(spec);
        for (const table of input.tables) assertExact(input, table);
      }),
      runs,
    );
  });

  it('one plan is enough for networks of one size, with one route each, in tables without a limit', () => {
    fc.assert(
      fc.property(tidyCase, (spec) => {
        const input = build(spec);
        const tables = planRoutes(input).operations.reduce(
          (before, planned) => applied(before, planned, spec.targets),
          input.tables,
        );
        assert.deepEqual(operationTexts(planRoutes({ ...input, tables })), []);
      }),
      runs,
    );
  });

  it('later plans complete a plan that was carried out in part (P7)', () => {
    fc.assert(
      fc.property(anyCase, orderKeys, (spec, keys) => {
        const input = build(spec);
        const { operations } = planRoutes(input);
        const count = (keys[0] ?? 0) % (operations.length + 1);
        const tables = inOrder(operations, keys)
          .slice(0, count)
          .reduce((before, one) => applied(before, one, spec.targets), input.tables);
        const end = converge({ ...input, tables }, spec);
        for (const table of end.tables) assertExact(end, table);
      }),
      runs,
    );
  });

  it('the order of any list does not change the plan', () => {
    fc.assert(
      fc.property(anyCase, orderKeys, (spec, keys) => {
        assert.deepEqual(decisionsOf(build(shuffled(spec, keys))), decisionsOf(build(spec)));
      }),
      runs,
    );
  });

  it('the spelling of IPv6 does not change the plan', () => {
    fc.assert(
      fc.property(anyCase, (spec) => {
        assert.deepEqual(decisionsOf(build(spec, longSpelling)), decisionsOf(build(spec)));
      }),
      runs,
    );
  });

  it('a node is available exactly if every table has all routes that it needs (T5)', () => {
    fc.assert(
      fc.property(anyCase, (spec) => {
        for (const input of [build(spec), converged(spec)]) {
          const { nodes } = planRoutes(input);
          for (const node of input.nodes) {
            const isAvailable = nodes.get(node.uid)?.verdict.kind === 'available';
            assert.equal(isAvailable, isNaivelyAvailable(input, node), node.name);
          }
        }
      }),
      runs,
    );
  });

  it('a node that stays unavailable has a finding', () => {
    assertHits(20, (hit) =>
      fc.assert(
        fc.property(anyCase, (spec) => {
          for (const { verdict, findings } of planRoutes(converged(spec)).nodes.values()) {
            if (verdict.kind !== 'unavailable') continue;
            hit();
            assert.ok(verdict.missing.length > 0);
            assert.ok(findings.length > 0 || spec.tables.length === 0);
          }
        }),
        runs,
      ),
    );
  });

  it('each kind of operation and finding is frequent, so that the properties above have cases', () => {
    const seen = new Map<string, number>();
    for (const spec of fc.sample(anyCase, { ...runs, seed: 1 })) {
      const { operations, nodes, findings } = planRoutes(build(spec));
      const judged = [...nodes.values()];
      const keys = [
        ...operations.map(({ operation }) => operation.kind),
        ...judged.map(({ verdict }) => verdict.kind),
        ...judged.flatMap((one) => one.findings.map(({ code }) => code)),
        ...findings.map(({ code }) => code),
      ];
      for (const key of new Set(keys)) seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const kinds = ['create', 'replace', 'delete', 'available', 'unavailable', 'leftAlone'];
    const codes = ['RouteDestinationTaken', 'RouteTableFull', 'RouteDestinationShared'];
    const unknown = ['InstanceUnknown', 'RouteTargetUnknown', 'RouteTargetsUnknown'];
    for (const key of [...kinds, ...codes, ...unknown, 'DuplicateRoutes']) {
      assert.ok((seen.get(key) ?? 0) > 100, `${key}: ${seen.get(key)}`);
    }
  });
});

/**
 * The plan with its tables reduced to destinations and states, because these also carry nodes and
 * routes.
 */
function decisionsOf(input: RoutePlanInput): unknown {
  const { tables, ...decisions } = planRoutes(input);
  const states = tables.flatMap(({ table, states: byWant }) =>
    Array.from(byWant, ([want, state]) => ({
      where: `${table.id} ${want.node.uid} ${want.text}`,
      state,
    })),
  );
  return { ...decisions, states: states.toSorted((a, b) => (a.where < b.where ? -1 : 1)) };
}

/** Applies successive plans until a plan has no operations. */
function converge(input: RoutePlanInput, { targets }: RoutingCase): RoutePlanInput {
  let { tables } = input;
  const routes = tables.flatMap((table) => table.routes);
  // Each round deletes at least one superfluous route, except for a few rounds at the end.
  for (let round = 0; round < routes.length + 4; round += 1) {
    const { operations } = planRoutes({ ...input, tables });
    if (operations.length === 0) return { ...input, tables };
    tables = operations.reduce((before, one) => applied(before, one, targets), tables);
  }
  throw new Error('the plans do not converge');
}

function converged(spec: RoutingCase): RoutePlanInput {
  return converge(build(spec), spec);
}

/**
 * T1 and T3: a route leads to the node that has its destination, and only our or dead routes are
 * changed.
 */
function assertLegal(input: RoutePlanInput, { operation }: PlannedOperation): void {
  const table = input.tables.find(({ id }) => id === operation.table);
  assert.ok(table !== undefined, 'a table that does not exist');
  const route =
    operation.kind === 'create' ? undefined : table.routes.find(({ id }) => id === operation.route);
  const destination =
    operation.kind === 'create' ? cidr(operation.destination) : route?.destination;
  assert.ok(destination !== undefined, 'a route that is not there');
  assert.ok(isInScope(input, destination), 'a destination outside the cluster CIDRs');
  if (route === undefined) assert.deepEqual(routesTo(table, destination), [], 'it is taken');
  else assert.ok(mayBeTouched(route), 'a live route of another owner');
  if (operation.kind === 'delete') return;
  const { key, name } = operation.to;
  const isTheirs = naiveWants(input).some(
    (want) =>
      want.node.name === name && want.node.instance?.key === key && isSame(want.cidr, destination),
  );
  assert.ok(isTheirs, `${name} does not have the destination`);
}

/** All networks of live nodes that the cloud does not route by itself. */
function liveNeeds(input: RoutePlanInput): readonly NaiveWant[] {
  return input.nodes.flatMap((node) =>
    naiveCidrs(node)
      .filter((one) => !isRoutedByCloud(node, one))
      .map((one) => ({ node, cidr: one })),
  );
}

/** T2: traffic that arrived before still arrives. */
function assertStillServed(
  needs: readonly NaiveWant[],
  { before, after }: Readonly<Record<'before' | 'after', readonly ListedTable[]>>,
): void {
  for (const [index, table] of before.entries()) {
    const later = after[index];
    assert.ok(later !== undefined);
    for (const need of needs) {
      if (isServed(table, need)) assert.ok(isServed(later, need), `${need.node.name} is cut off`);
    }
  }
}

function assertWithinCapacity(
  { operation }: PlannedOperation,
  tables: readonly ListedTable[],
): void {
  if (operation.kind !== 'create') return;
  const table = tables.find(({ id }) => id === operation.table);
  assert.ok(table !== undefined);
  const { family } = cidr(operation.destination).network;
  assert.ok(naiveRoom(table, family) >= 0, 'more routes than the table takes');
}

/**
 * T4: every wanted route exists if there is room and no foreign route, and no other route of ours
 * exists.
 */
function assertExact(input: RoutePlanInput, table: ListedTable): void {
  const wants = naiveWants(input);
  const isFull = ({ cidr: one }: NaiveWant): boolean => naiveRoom(table, one.network.family) < 1;
  const isTaken = ({ cidr: one }: NaiveWant): boolean => routesTo(table, one).length > 0;
  const missing = wants.filter((want) => !stands(table, want));
  for (const want of missing) {
    const has = routesTo(table, want.cidr);
    assert.ok(isTaken(want) || isFull(want), `${want.node.name} lacks a route`);
    assert.ok(!has.some(({ ours }) => ours), `${want.node.name} has a wrong route of ours`);
  }
  const undecided = naivelyUndecided(input);
  const isExpected = (route: ListedRoute): boolean => {
    const { destination } = route;
    if (destination === undefined || !isInScope(input, destination)) return true;
    if (undecided.some((one) => overlaps(one, destination))) return true;
    const want = wants.find((one) => isSame(one.cidr, destination));
    if (want !== undefined)
      return isTaken(want) && (!stands(table, want) || arrivesAt(route, want.node));
    // A route that serves or may serve a node stays until the table has room for the node's own
    // route.
    const forwarding = { ...route, target: { ...route.target, ready: true } };
    return missing.some(
      (one) => overlaps(one.cidr, destination) && arrivesAt(forwarding, one.node),
    );
  };
  for (const route of table.routes.filter(mayBeTouched)) {
    assert.ok(isExpected(route), `${route.text} is superfluous`);
  }
}

function isNaivelyAvailable(input: RoutePlanInput, node: RoutedNode): boolean {
  if (isBarred(node) || node.podCIDRs.length === 0 || node.instance === undefined) return false;
  const cidrs = naiveCidrs(node);
  return (
    cidrs.length === node.podCIDRs.length &&
    cidrs.every((one) => {
      if (!isRoutable(input, one) || isRoutedByCloud(node, one)) return true;
      const hasEnd = node.internalIPs[one.network.family] !== undefined;
      const isComplete = input.tables.every((table) => stands(table, { node, cidr: one }));
      return hasEnd && isInScope(input, one) && isComplete && input.tables.length > 0;
    })
  );
}
