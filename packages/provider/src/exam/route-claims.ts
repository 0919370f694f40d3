/**
 * Claims about route tables, for providers that have them: what a list shows, and what a change
 * changes.
 */
import assert from 'node:assert/strict';
import type { RouteOutcome } from '../plug/index.ts';
import type { Claim } from './claim.ts';
import {
  applyRoutes,
  assertLeadsTo,
  assertTold,
  create,
  destinationOf,
  findRoute,
  listRoutes,
  makeNode,
  mustApply,
  otherSpelling,
  routeClaim,
  type SeenRoute,
  tableIdsOf,
} from './routes.ts';

export const routeClaims: readonly Claim[] = [
  routeClaim('lists what it creates, in every table and family', async (exam) => {
    const node = await makeNode(exam, 'exam-a');
    const tables = await tableIdsOf(exam);
    const destinations = exam.routes.families.map((family) => destinationOf(family, 1));
    const before = await listRoutes(exam);
    await mustApply(
      exam,
      ...tables.flatMap((table) => destinations.map((text) => create(table, text, node))),
    );
    for (const table of tables) {
      for (const destination of destinations) {
        const route = await findRoute(exam, table, destination);
        assertLeadsTo(route, node);
        assert(route.ours, `the route to ${destination} is listed as not ours`);
      }
    }
    const count = (await listRoutes(exam)).length - before.length;
    assert.equal(count, tables.length * destinations.length, 'other routes appeared');
  }),
  routeClaim('moves the target of a route that it replaces, and nothing else', async (exam) => {
    const [first, second] = [await makeNode(exam, 'exam-a'), await makeNode(exam, 'exam-b', 2)];
    const [table] = await tableIdsOf(exam);
    for (const family of exam.routes.families) {
      const [moved, kept] = [destinationOf(family, 1), destinationOf(family, 2)];
      await mustApply(exam, create(table, moved, first), create(table, kept, first));
      const before = await listRoutes(exam);
      const { id } = await findRoute(exam, table, moved);
      await mustApply(exam, { kind: 'replace', table, route: id, to: second });
      const route = await findRoute(exam, table, moved);
      assertLeadsTo(route, second);
      assert(route.ours, 'the replaced route is listed as not ours');
      const isReady = route.target.kind !== 'instance' || route.target.ready;
      assert(isReady, 'the replaced route leads to an instance that does not forward');
      assert.deepEqual(without(await listRoutes(exam), moved), without(before, moved));
    }
  }),
  routeClaim('removes the route that it deletes, and no other', async (exam) => {
    // The name of one node begins with the name of the other.
    const [node, namesake] = [await makeNode(exam, 'exam-1'), await makeNode(exam, 'exam-10', 2)];
    const tables = await tableIdsOf(exam);
    const [table] = tables;
    for (const family of exam.routes.families) {
      const [deleted, kept] = [destinationOf(family, 1), destinationOf(family, 2)];
      await mustApply(
        exam,
        ...tables.flatMap((id) => [create(id, deleted, node), create(id, kept, namesake)]),
      );
      const before = await listRoutes(exam);
      const { id } = await findRoute(exam, table, deleted);
      await mustApply(exam, { kind: 'delete', table, route: id });
      const isDeleted = (route: SeenRoute): boolean =>
        route.table === table && route.destination === deleted;
      const want = before.filter((route) => !isDeleted(route));
      assert.deepEqual(await listRoutes(exam), want, 'more or less than one route was deleted');
    }
  }),
  routeClaim(
    'lists routes that no manager made as not ours, and leaves them alone',
    async (exam) => {
      if (exam.hands.ownsTables === true) return;
      const node = await makeNode(exam, 'exam-a');
      const [table] = await tableIdsOf(exam);
      const [family] = exam.routes.families;
      assert(family !== undefined, 'the provider routes no family');
      const [foreign, own] = [destinationOf(family, 7), destinationOf(family, 1)];
      await exam.hands.addForeign(table, foreign);
      const before = await findRoute(exam, table, foreign);
      assert.equal(before.ours, false, 'a route that no manager made is listed as ours');
      await mustApply(exam, create(table, own, node));
      const { id } = await findRoute(exam, table, own);
      await mustApply(exam, { kind: 'replace', table, route: id, to: node });
      const [outcome] = await applyRoutes(exam, [create(table, foreign, node)]);
      assertRefused(outcome, 'exists');
      await mustApply(exam, {
        kind: 'delete',
        table,
        route: (await findRoute(exam, table, own)).id,
      });
      assert.deepEqual(await findRoute(exam, table, foreign), before, 'the route was changed');
    },
  ),
  routeClaim('has one outcome for each operation, in their order', async (exam) => {
    const node = await makeNode(exam, 'exam-a');
    const [table] = await tableIdsOf(exam);
    const [family = 'IPv4'] = exam.routes.families;
    const at = (number: number): string => destinationOf(family, number);
    await mustApply(exam, create(table, at(1), node), create(table, at(2), node));
    const { id } = await findRoute(exam, table, at(2));
    const outcomes = await applyRoutes(exam, [
      create(table, at(3), node),
      create(table, at(1), node),
      { kind: 'delete', table, route: id },
      create(table, at(4), node),
    ]);
    const kinds = outcomes.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['applied', 'refused', 'applied', 'applied']);
    const held = (await listRoutes(exam)).filter((route) => route.table === table && route.ours);
    const want = [at(1), at(3), at(4)];
    assert.deepEqual(held.map(({ destination }) => destination).toSorted(), want.toSorted());
    assert.deepEqual(await applyRoutes(exam, []), [], 'no operations have outcomes');
  }),
  routeClaim('refuses a destination that is taken, however it is spelt', async (exam) => {
    const [node, other] = [await makeNode(exam, 'exam-a'), await makeNode(exam, 'exam-b', 2)];
    const [table] = await tableIdsOf(exam);
    for (const family of exam.routes.families) {
      const destination = destinationOf(family, 1);
      await mustApply(exam, create(table, destination, node));
      const before = await listRoutes(exam);
      for (const spelling of new Set([destination, otherSpelling(destination)])) {
        const [outcome] = await applyRoutes(exam, [create(table, spelling, other)]);
        assertRefused(outcome, 'exists');
        assert.deepEqual(await listRoutes(exam), before, 'a refused operation changed something');
      }
    }
  }),
  routeClaim('refuses to create a route in a table that is full', async (exam) => {
    if (exam.hands.fillTable === undefined) return;
    const node = await makeNode(exam, 'exam-a');
    const table = await exam.hands.fillTable();
    const before = await listRoutes(exam);
    for (const family of exam.routes.families) {
      const [outcome] = await applyRoutes(exam, [create(table, destinationOf(family, 1), node)]);
      assertRefused(outcome, 'tableFull');
      assert.deepEqual(await listRoutes(exam), before, 'a refused operation changed something');
    }
  }),
  routeClaim('asks the cloud for every list, and states its age', async (exam) => {
    const { lab, routes, hands } = exam;
    const [table] = await tableIdsOf(exam);
    const [family = 'IPv4'] = routes.families;
    await hands.addForeign(table, destinationOf(family, 7));
    const askedAtMs = lab.clock.monotonic();
    const { signal } = new AbortController();
    const { asOfMs } = await lab.waitFor(routes.list({ signal }));
    assert(Number.isFinite(asOfMs), 'the list has no valid asOfMs');
    assert(asOfMs >= askedAtMs, `the list is ${askedAtMs - asOfMs} ms older than the question`);
    assert(asOfMs <= lab.clock.monotonic(), 'the list is from the future');
    await findRoute(exam, table, destinationOf(family, 7));
  }),
];

function without(routes: readonly SeenRoute[], destination: string): readonly SeenRoute[] {
  return routes.filter((route) => route.destination !== destination);
}

function assertRefused(outcome: RouteOutcome | undefined, reason: 'exists' | 'tableFull'): void {
  assert.equal(outcome?.kind, 'refused', 'the operation was not refused');
  assert.equal(outcome.reason, reason, 'the refusal has another reason');
  assertTold(outcome.err);
}
