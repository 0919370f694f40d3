/**
 * Claims about changes of routes: the provider writes nothing unless `beforeWrite` allows it, and
 * does not treat a route as missing because it could not read it (P3).
 */
import assert from 'node:assert/strict';
import type { RouteOperation, RouteOutcome } from '../plug/index.ts';
import type { Claim } from './claim.ts';
import {
  applyRoutes,
  assertTold,
  create,
  destinationOf,
  findRoute,
  listRoutes,
  makeNode,
  mustApply,
  routeClaim,
  type RoutesExam,
  tableIdsOf,
} from './routes.ts';

export const routeGateClaims: readonly Claim[] = [
  routeClaim('calls beforeWrite before every request that changes something', async (exam) => {
    const operations = await everyOperation(exam);
    for (const operation of operations) {
      const sinceStart = exam.hands.writes();
      const sent = (): number => exam.hands.writes() - sinceStart;
      let asked = 0;
      let isLate = false;
      const beforeWrite = (): void => {
        isLate ||= sent() > asked;
        asked++;
      };
      await applyRoutes(exam, [operation], { beforeWrite });
      assert(sent() > 0, `writes of the lab did not count a ${operation.kind}`);
      const isGuarded = sent() <= asked && !isLate;
      assert(isGuarded, `a ${operation.kind} was sent before beforeWrite was called`);
    }
  }),
  routeClaim('changes nothing when beforeWrite throws', async (exam) => {
    const operations = await everyOperation(exam);
    const before = await listRoutes(exam);
    const writes = exam.hands.writes();
    const beforeWrite = (): void => {
      throw new Error('the exam forbids writing');
    };
    const outcomes = await outcomesOrNone(exam, operations, { beforeWrite });
    assertNoneApplied(outcomes, 'although beforeWrite threw');
    assert.equal(exam.hands.writes(), writes, 'a request was sent although beforeWrite threw');
    assert.deepEqual(await listRoutes(exam), before, 'routes changed although beforeWrite threw');
  }),
  routeClaim('sends nothing more once beforeWrite has thrown', async (exam) => {
    const operations = await everyOperation(exam);
    const writes = exam.hands.writes();
    let asked = 0;
    const beforeWrite = (): void => {
      if (++asked > 1) throw new Error('the exam forbids writing');
    };
    await outcomesOrNone(exam, operations, { beforeWrite });
    const sent = exam.hands.writes() - writes;
    assert(sent <= 1, `${sent} requests were sent, but beforeWrite let only one pass`);
  }),
  routeClaim(
    'never lists or applies while it cannot reach the cloud, and recovers',
    async (exam) => {
      const { lab, routes } = exam;
      const operations = await everyOperation(exam);
      const before = await listRoutes(exam);
      const repair = await lab.breakCloud();
      const { signal } = new AbortController();
      const err: unknown = await lab.waitFor(routes.list({ signal })).then(
        () => assert.fail('the provider listed routes although it could not read the cloud'),
        (failure: unknown) => failure,
      );
      assertTold(err);
      const outcomes = await outcomesOrNone(exam, operations);
      assertNoneApplied(outcomes, 'although the cloud was unreachable');
      for (const outcome of outcomes) if ('err' in outcome) assertTold(outcome.err);
      await repair();
      const wasRefused = outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'refused');
      const after = await listRoutes(exam);
      if (wasRefused) assert.deepEqual(after, before, 'a refused operation changed something');
    },
  ),
  routeClaim('stops when its signal aborts, without listing or changing anything', async (exam) => {
    const { lab, routes, hands } = exam;
    const operations = await everyOperation(exam);
    const before = await listRoutes(exam);
    const writes = hands.writes();
    const signal = AbortSignal.abort(new Error('the exam is over'));
    await lab.waitFor(routes.list({ signal })).then(
      () => assert.fail('the provider listed routes although its signal was aborted'),
      () => {},
    );
    const outcomes = await outcomesOrNone(exam, operations, { signal });
    assertNoneApplied(outcomes, 'although its signal was aborted');
    assert.equal(hands.writes(), writes, 'a request was sent although the signal was aborted');
    assert.deepEqual(await listRoutes(exam), before, 'routes changed although it was aborted');
  }),
];

/** Returns one operation of each kind that would succeed, each on its own route. */
async function everyOperation(exam: RoutesExam): Promise<readonly RouteOperation[]> {
  const node = await makeNode(exam, 'exam-a');
  const other = await makeNode(exam, 'exam-b', 2);
  const [table] = await tableIdsOf(exam);
  const [family = 'IPv4'] = exam.routes.families;
  const at = (number: number): string => destinationOf(family, number);
  await mustApply(exam, create(table, at(1), node), create(table, at(2), node));
  const replaced = await findRoute(exam, table, at(1));
  const deleted = await findRoute(exam, table, at(2));
  return [
    create(table, at(3), node),
    { kind: 'replace', table, route: replaced.id, to: other },
    { kind: 'delete', table, route: deleted.id },
  ];
}

/** A rejection means that all outcomes are unknown. */
async function outcomesOrNone(
  ...asked: Parameters<typeof applyRoutes>
): Promise<readonly RouteOutcome[]> {
  return applyRoutes(...asked).catch((err: unknown) => {
    assert(err instanceof Error, 'the provider rejected with a value that is not an Error');
    return [];
  });
}

function assertNoneApplied(outcomes: readonly RouteOutcome[], although: string): void {
  const isApplied = outcomes.some(({ kind }) => kind === 'applied');
  assert(!isApplied, `the provider says that it changed a route ${although}`);
}
