import assert from 'node:assert/strict';
import { stackLabel } from '../../../../test/support/example-controller/index.ts';
import { controllers } from '../controllers/index.ts';
import { refusedByServer, SelfCheckWorld, unreachable } from './self-check.fixture.ts';

const minuteMs = 60_000;

const nodeReads = ['list nodes', 'watch nodes'];
const events = ['get', 'create', 'patch'].map((verb) => `${verb} events in default`);
const lease = 'leases.coordination.k8s.io';
const election = [
  `create ${lease} in kube-system`,
  `get ${lease} cloud-controller-manager in kube-system`,
  `update ${lease} cloud-controller-manager in kube-system`,
  `watch ${lease} cloud-controller-manager in kube-system`,
];
const brake = `get ${lease} cloud-controller-manager in kube-system`;
const memory = election.slice(0, 3);

const cases: { name: string; args: string[]; want: string[] }[] = [
  { name: 'a dry run', args: ['--dry-run'], want: [...nodeReads, brake] },
  {
    name: 'a dry run of one controller',
    args: ['--dry-run', '--controllers=cloud-node'],
    want: nodeReads,
  },
  {
    name: 'a manager without an election',
    args: ['--leader-elect=false', '--controllers=cloud-node'],
    want: ['get nodes', ...nodeReads, 'patch nodes', 'patch nodes/status', ...events],
  },
  {
    name: 'the lifecycle controller alone',
    args: ['--controllers=cloud-node-lifecycle', '--leader-elect=false'],
    want: ['get nodes', ...nodeReads, 'patch nodes', 'delete nodes', ...events, ...memory],
  },
  {
    name: 'a manager with the default flags',
    args: [],
    want: [
      'get nodes',
      ...nodeReads,
      'patch nodes',
      'patch nodes/status',
      'delete nodes',
      ...events,
      ...election,
    ],
  },
  {
    name: 'a manager with another name of the Lease',
    args: [
      '--controllers=cloud-node',
      '--leader-elect-resource-namespace=ccm',
      '--leader-elect-resource-name=mine',
    ],
    want: [
      'get nodes',
      ...nodeReads,
      'patch nodes',
      'patch nodes/status',
      ...events,
      `create ${lease} in ccm`,
      `get ${lease} mine in ccm`,
      `update ${lease} mine in ccm`,
      `watch ${lease} mine in ccm`,
    ],
  },
];

describe('the check of permissions', () => {
  for (const { name, args, want } of cases) {
    it(`reviews exactly the permissions that ${name} needs`, async () => {
      const world = new SelfCheckWorld();
      await world.check(args, minuteMs);
      assert.deepEqual(world.askedFor.toSorted(), want.toSorted());
      assert.deepEqual(world.log, []);
      assert.ok(world.hasEnded);
    });
  }

  it('logs the verb, the consequence and the rule to add for each missing permission', async () => {
    const world = new SelfCheckWorld();
    const missing = [
      (verb: string, resource: string) => verb === 'delete' && resource === 'nodes',
      (verb: string, resource: string) => verb === 'update' && resource === 'leases',
    ];
    world.review = ({ verb, resource }) => ({
      allowed: !missing.some((matches) => matches(verb, resource)),
      evaluationError: 'role not found',
    });
    await world.check(['--leader-elect-resource-name=mine'], minuteMs);
    assert.deepEqual(world.lines('Missing permission'), [
      {
        level: 'error',
        component: 'self-check',
        verb: 'delete',
        resource: 'nodes',
        consequence: 'Nodes whose instance is gone are not deleted',
        role: 'ClusterRole tandem:cloud-controller-manager',
        rule: "{apiGroups: [''], resources: [nodes], verbs: [delete]}",
        binding: 'ClusterRoleBinding tandem:cloud-controller-manager',
        manifest: 'manifests/rendered/rbac.yaml',
        reason: 'role not found',
        msg: 'Missing permission',
      },
      {
        level: 'error',
        component: 'self-check',
        verb: 'update',
        resource: 'leases.coordination.k8s.io',
        namespace: 'kube-system',
        name: 'mine',
        consequence:
          'This manager never becomes leader and does nothing; After a restart, the deletion brake does not count earlier deletions',
        role: 'Role kube-system/tandem:cloud-controller-manager:lease',
        rule: "{apiGroups: ['coordination.k8s.io'], resources: [leases], resourceNames: [mine], verbs: [update]}",
        binding: 'RoleBinding kube-system/tandem:cloud-controller-manager:lease',
        manifest: 'manifests/rendered/rbac.yaml',
        reason: 'role not found',
        msg: 'Missing permission',
      },
    ]);
    const lacking = (await world.metric('tandem_missing_permissions{')).filter((line) =>
      line.endsWith(' 1'),
    );
    assert.deepEqual(lacking, [
      'tandem_missing_permissions{verb="delete",resource="nodes"} 1',
      'tandem_missing_permissions{verb="update",resource="leases.coordination.k8s.io"} 1',
    ]);
  });

  it('reviews the permissions of controllers as their own account', async () => {
    const world = new SelfCheckWorld();
    world.review = ({ verb }) => ({ allowed: verb !== 'delete' });
    await world.check(['--use-service-account-credentials'], minuteMs);
    const token = 'create serviceaccounts/token node-controller in kube-system';
    assert.deepEqual(world.askedFor, [...nodeReads, ...election, token]);
    const first = ['get nodes', 'patch nodes', 'patch nodes/status', 'delete nodes', ...events];
    assert.deepEqual(world.accountAskedFor('node-controller'), [...first, 'delete nodes']);
    const [line] = world.lines('Missing permission');
    assert.equal(line?.['account'], 'kube-system/node-controller');
    assert.equal(line['manifest'], 'manifests/rendered/rbac-controller-accounts.yaml');
    const binding = 'ClusterRoleBinding tandem:controller:node-controller';
    assert.equal(line['binding'], binding);
    const dry = new SelfCheckWorld();
    await dry.check(['--use-service-account-credentials', '--dry-run'], minuteMs);
    assert.deepEqual(
      [dry.askedFor, dry.accountAskedFor('node-controller')],
      [[...nodeReads, brake], []],
    );
  });

  it('reviews the permissions of each account, and the metric counts what any of them lacks', async () => {
    const world = new SelfCheckWorld();
    world.review = ({ verb }, account) => ({
      allowed: account !== 'stack-label-controller' || verb !== 'patch',
    });
    const declarations = [...controllers, stackLabel];
    await world.check(['--use-service-account-credentials'], minuteMs, declarations);
    const tokens = ['node-controller', 'stack-label-controller'].map(
      (account) => `create serviceaccounts/token ${account} in kube-system`,
    );
    assert.deepEqual(world.askedFor, [...nodeReads, ...election, ...tokens]);
    const node = ['get nodes', 'patch nodes', 'patch nodes/status', 'delete nodes', ...events];
    assert.deepEqual(world.accountAskedFor('node-controller'), node);
    const denied = ['patch nodes', 'patch events in default'];
    assert.deepEqual(
      new Set(world.accountAskedFor('stack-label-controller')),
      new Set(['get nodes', ...events, ...denied, 'patch events.events.k8s.io in default']),
    );
    assert.deepEqual(
      world.lines('Missing permission').map((line) => [line['account'], line['resource']]),
      [
        ['kube-system/stack-label-controller', 'nodes'],
        ['kube-system/stack-label-controller', 'events'],
      ],
    );
    assert.deepEqual(
      await world.metric('tandem_missing_permissions{verb="patch",resource="nodes"'),
      ['tandem_missing_permissions{verb="patch",resource="nodes"} 1'],
    );
  });

  it('counts a permission that one account lacks as missing, whichever account is answered last', async () => {
    const world = new SelfCheckWorld();
    const slowMs = world.clock.monotonic() + 20_000;
    world.review = ({ verb }, account) => {
      const isLate = account === 'node-controller' && world.clock.monotonic() < slowMs;
      if (isLate) return unreachable();
      return { allowed: account !== 'stack-label-controller' || verb !== 'patch' };
    };
    const declarations = [...controllers, stackLabel];
    await world.check(['--use-service-account-credentials'], minuteMs, declarations);
    assert.deepEqual(
      await world.metric('tandem_missing_permissions{verb="patch",resource="nodes"'),
      ['tandem_missing_permissions{verb="patch",resource="nodes"} 1'],
    );
  });

  const configMap = 'configmaps extension-apiserver-authentication in kube-system';
  const lookup = ['get', 'list', 'watch'].map((verb) => `${verb} ${configMap}`);
  const reviews = [
    'create tokenreviews.authentication.k8s.io',
    'create subjectaccessreviews.authorization.k8s.io',
  ];
  const served: { args: string[]; want: string[] }[] = [
    { args: [], want: [...reviews, ...lookup] },
    { args: ['--dry-run'], want: [...reviews, ...lookup] },
    { args: ['--authentication-skip-lookup'], want: reviews },
    { args: ['--client-ca-file=a'], want: [...reviews, ...lookup] },
    { args: ['--client-ca-file=a', '--requestheader-client-ca-file=b'], want: reviews },
  ];
  for (const { args, want } of served) {
    it(`reviews the permissions of the secure port as its own clients with ${args.join(' ') || 'no flags'}`, async () => {
      const world = new SelfCheckWorld();
      world.hasReviewers = true;
      await world.check(args, minuteMs);
      assert.deepEqual(world.reviewersAskedFor.toSorted(), want.toSorted());
      assert.deepEqual(world.log, []);
    });
  }

  it('names the binding when the secure port may not review its callers', async () => {
    const world = new SelfCheckWorld();
    world.hasReviewers = true;
    world.review = ({ resource }) => ({ allowed: !resource.endsWith('reviews') });
    await world.check([], minuteMs);
    const binding = 'ClusterRoleBinding tandem:cloud-controller-manager:auth-delegator';
    assert.deepEqual(
      world
        .lines('Missing permission')
        .map((line) => `${String(line['resource'])}: ${String(line['binding'])}`)
        .toSorted(),
      [
        `subjectaccessreviews.authorization.k8s.io: ${binding}`,
        `tokenreviews.authentication.k8s.io: ${binding}`,
      ],
    );
    assert.deepEqual(await world.metric('tandem_missing_permissions{verb="create",resource="t'), [
      'tandem_missing_permissions{verb="create",resource="tokenreviews.authentication.k8s.io"} 1',
    ]);
  });

  it('logs nothing about identities that are not in use', async () => {
    const world = new SelfCheckWorld();
    world.level = 'debug';
    await world.check([], minuteMs);
    const counts = world.lines('Found all required permissions');
    assert.deepEqual(
      counts.map((line) => line['permissions']),
      [13],
    );
  });

  it('logs the consequences for all running controllers', async () => {
    const world = new SelfCheckWorld();
    world.review = ({ verb, resource }) => ({ allowed: verb !== 'patch' || resource !== 'nodes' });
    await world.check([], minuteMs);
    const [line] = world.lines('Missing permission');
    assert.match(String(line?.['consequence']), /New nodes stay tainted.*; .*shutdown taint/);
  });

  it('tolerates rules that reach the authorizer a moment late, and counts them as granted', async () => {
    const world = new SelfCheckWorld();
    const readyMs = world.clock.monotonic() + 3_000;
    world.review = () => ({ allowed: world.clock.monotonic() > readyMs });
    await world.check([], minuteMs);
    assert.deepEqual(world.log, []);
    const lines = await world.metric('tandem_missing_permissions{');
    assert.equal(lines.length, 13);
    assert.ok(lines.every((line) => line.endsWith(' 0')));
  });

  it('accepts events.k8s.io, which the manager uses when core events are refused', async () => {
    const world = new SelfCheckWorld();
    world.review = ({ group, resource }) => ({ allowed: resource !== 'events' || group !== '' });
    await world.check([], minuteMs);
    assert.ok(world.askedFor.includes('create events.events.k8s.io in default'));
    assert.deepEqual(world.log, []);
  });

  it('waits for an unreachable API server, and does not count that as a denial', async () => {
    const world = new SelfCheckWorld();
    const backMs = world.clock.monotonic() + 2 * minuteMs;
    world.review = () => (world.clock.monotonic() < backMs ? unreachable() : { allowed: true });
    await world.check([], minuteMs);
    assert.ok(!world.hasEnded);
    await world.clock.advance(2 * minuteMs);
    assert.ok(world.hasEnded);
    assert.deepEqual(world.log, []);
  });

  it('gives up after five minutes with one warning', async () => {
    const world = new SelfCheckWorld();
    world.review = () => unreachable();
    await world.check([], 6 * minuteMs);
    assert.ok(world.hasEnded);
    assert.deepEqual(
      world.log.map(({ level, msg }) => ({ level, msg })),
      [{ level: 'warn', msg: 'Could not check permissions' }],
    );
    assert.match(
      JSON.stringify(world.log),
      /ConnectionFailed/,
      'the warning has the cause, not the deadline',
    );
    assert.deepEqual(await world.metric('tandem_missing_permissions{'), []);
  });

  const unusable: { name: string; review: () => object | Error }[] = [
    { name: 'reviews are forbidden', review: () => refusedByServer(403) },
    { name: 'the server has no reviews', review: () => refusedByServer(404) },
    { name: 'the answer is not a review', review: () => ({ allowed: 'yes' }) },
  ];
  for (const { name, review } of unusable) {
    it(`warns once that it cannot check permissions when ${name}`, async () => {
      const world = new SelfCheckWorld();
      world.review = review;
      await world.check([], minuteMs);
      assert.equal(world.asked.length, 1);
      assert.equal(world.lines('Could not check permissions').length, 1);
      assert.deepEqual(world.lines('Missing permission'), []);
    });
  }

  it('ends without a log line when the program ends', async () => {
    const world = new SelfCheckWorld();
    world.review = () => unreachable();
    await world.check([], 12_000);
    world.stop.abort(new Error('stopped'));
    await world.clock.advance(1_000);
    assert.ok(world.hasEnded);
    assert.deepEqual(world.log, []);
  });

  it('can be repeated, and then updates the metric', async () => {
    const world = new SelfCheckWorld();
    world.review = ({ verb }) => ({ allowed: verb !== 'delete' });
    await world.check([], minuteMs);
    world.review = () => ({ allowed: true });
    await world.check([], minuteMs);
    assert.equal(world.lines('Missing permission').length, 1);
    assert.deepEqual(await world.metric('tandem_missing_permissions{verb="delete"'), [
      'tandem_missing_permissions{verb="delete",resource="nodes"} 0',
    ]);
  });
});
