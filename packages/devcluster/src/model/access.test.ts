import assert from 'node:assert/strict';
import { aCluster, ask } from './asking.fixture.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const nodes = '/api/v1/nodes';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

type World = ReturnType<typeof aCluster>;

async function aToken(world: World, spec: object = {}): Promise<string> {
  await ask(world, 'POST', accounts, { metadata: { name: 'robot' } });
  const { body } = await ask(world, 'POST', `${accounts}/robot/token`, { spec });
  return body.status.token;
}

describe('access to the embedded cluster', () => {
  it('ends with a token when its time has passed', async () => {
    const world = aCluster();
    const token = await aToken(world, { expirationSeconds: 600 });
    await world.clock.advance(599_000);
    assert.equal(world.cluster.userOfToken(token)?.name, 'system:serviceaccount:default:robot');
    await world.clock.advance(1_000);
    assert.equal(world.cluster.userOfToken(token), undefined);
  });

  it('is told of with the audience that a token is for, and of no other', async () => {
    const world = aCluster();
    const token = await aToken(world);
    const review = async (audiences: readonly string[]): Promise<unknown> => {
      const path = '/apis/authentication.k8s.io/v1/tokenreviews';
      return (await ask(world, 'POST', path, { spec: { token, audiences } })).body.status
        .authenticated;
    };
    assert.equal(await review(['https://kubernetes.default.svc', 'x']), true);
    assert.equal(await review(['x']), undefined);
  });

  const notDone: readonly [what: string, path: string, body: object][] = [
    ['tokens for others', `${accounts}/robot/token`, { spec: { audiences: ['x'] } }],
    [
      'tokens of other objects',
      `${accounts}/robot/token`,
      { spec: { boundObjectRef: { kind: 'Pod', name: 'p' } } },
    ],
    [
      'aggregated roles',
      clusterRoles,
      { metadata: { name: 'r' }, rules: [], aggregationRule: { clusterRoleSelectors: [] } },
    ],
  ];
  for (const [what, path, body] of notDone) {
    it(`is not given by ${what}, which it says it does not do`, async () => {
      const world = aCluster();
      await ask(world, 'POST', accounts, { metadata: { name: 'robot' } });
      const answer = await ask(world, 'POST', path, body);
      assert.deepEqual([answer.status, answer.body.reason], [501, 'NotImplemented']);
    });
  }

  it('is denied to writes that a rule of admission is against, until it is lifted', async () => {
    const world = aCluster();
    await ask(world, 'POST', nodes, { metadata: { name: 'n' } });
    const lift = world.cluster.admit((user, { verb, name }) =>
      user.name === 'admin' && verb === 'patch' && name === 'n'
        ? { reason: 'Invalid', message: 'not today' }
        : undefined,
    );
    const patch = () =>
      ask(world, 'PATCH', `${nodes}/n`, { spec: {} }, 'application/merge-patch+json');
    const { status, body } = await patch();
    assert.deepEqual(
      [status, body.reason, body.message],
      [422, 'Invalid', 'nodes "n" is forbidden: not today'],
    );
    assert.equal((await ask(world, 'GET', `${nodes}/n`)).status, 200);
    lift();
    assert.equal((await patch()).status, 200);
  });
});
