/** What roles and bindings give, and to whom. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import {
  anAccount,
  clusterRoles,
  denialOf,
  grant,
  isAllowed,
  roleBindingsIn,
  rolesIn,
  untilAllowed,
  type Wanted,
} from './accounts.ts';
import type { Claim } from './claim.ts';
import { type Answer, leases, mergePatch, nodes, type Session } from './session.ts';

const core = { apiGroups: [''] };
const coordination = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };

export const granting: readonly Claim[] = [
  {
    name: 'an account may do what its roles say and nothing else, and is told what it may not',
    async run(api) {
      const account = await anAccount(api);
      const rules = [{ ...core, resources: ['nodes'], verbs: ['list', 'watch'] }];
      await grant(api, rules, { to: [account.subject] });
      await untilAllowed(account.api, { verb: 'list' });
      await account.api.want(200, { path: `${nodes}?limit=1` });
      const where = 'in API group "" at the cluster scope';
      assert.deepEqual(denialOf(await account.api.ask({ path: `${nodes}/n` })), [
        403,
        'Forbidden',
        `nodes "n" is forbidden: User "${account.username}" cannot get resource "nodes" ${where}`,
        { name: 'n', kind: 'nodes' },
      ]);
      const lease = { metadata: { name: api.name() } };
      assert.deepEqual(
        denialOf(await account.api.ask({ method: 'POST', path: leases, body: lease })),
        [
          403,
          'Forbidden',
          `leases.coordination.k8s.io is forbidden: User "${account.username}" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system"`,
          { group: 'coordination.k8s.io', kind: 'leases' },
        ],
      );
    },
  },
  {
    name: 'a part is not given with its object, and a star gives what it stands for',
    async run(api) {
      const part = { verb: 'patch', subresource: 'status' };
      const whole = { verb: 'patch' };
      const cases: readonly [resources: string[], want: Wanted, allowed: boolean][] = [
        [['nodes'], whole, true],
        [['nodes'], part, false],
        [['nodes/status'], part, true],
        [['nodes/status'], whole, false],
        [['*/status'], part, true],
        [['*/status'], whole, false],
        [['*'], part, true],
      ];
      for (const [resources, want, allowed] of cases) {
        const account = await anAccount(api);
        const known = { ...core, resources: ['configmaps'], verbs: ['get'] };
        const rules = [known, { ...core, resources, verbs: ['patch'] }];
        await grant(api, rules, { to: [account.subject] });
        await untilAllowed(account.api, { verb: 'get', resource: 'configmaps' });
        assert.equal(await isAllowed(account.api, want), allowed, resources.join());
      }
    },
  },
  {
    name: 'a rule for one name gives that object, and the watch that selects it',
    async run(api) {
      const account = await anAccount(api);
      const name = api.name();
      await api.want(201, { method: 'POST', path: leases, body: { metadata: { name } } });
      const rule = { ...coordination, resourceNames: [name], verbs: ['get', 'watch'] };
      await grant(api, [rule], { to: [account.subject], namespace: 'kube-system' });
      const lease = { verb: 'get', group: 'coordination.k8s.io', resource: 'leases' };
      await untilAllowed(account.api, { ...lease, namespace: 'kube-system', name });
      await account.api.want(200, { path: `${leases}/${name}` });
      await account.api.want(403, { path: `${leases}/another` });
      const selected = `${leases}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`;
      const watch = await account.api.watch(selected);
      assert.deepEqual([watch.status, (await watch.next())?.object.metadata.name], [200, name]);
      watch.close();
      await account.api.want(403, { path: `${leases}?watch=1` });
      await account.api.want(403, { path: leases });
    },
  },
  {
    name: 'a binding in a namespace gives a cluster role there and nowhere else',
    async run(api) {
      const account = await anAccount(api);
      const rules = [{ ...core, resources: ['configmaps', 'nodes'], verbs: ['list'] }];
      await grant(api, rules, { to: [account.subject], namespace: 'kube-public' });
      const list = { verb: 'list', resource: 'configmaps' };
      await untilAllowed(account.api, { ...list, namespace: 'kube-public' });
      await account.api.want(200, { path: '/api/v1/namespaces/kube-public/configmaps' });
      await account.api.want(403, { path: '/api/v1/namespaces/default/configmaps' });
      await account.api.want(403, { path: '/api/v1/configmaps' });
      await account.api.want(403, { path: nodes });
    },
  },
  {
    name: 'a role of a namespace gives nothing before it is there, and nothing once it is gone',
    async run(api) {
      const account = await anAccount(api);
      const name = api.name();
      const body = {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
        subjects: [account.subject],
      };
      await api.want(201, { method: 'POST', path: roleBindingsIn('default'), body });
      const wanted = { verb: 'delete', resource: 'configmaps', namespace: 'default' };
      assert.equal(await isAllowed(account.api, wanted), false);
      const rules = [{ ...core, resources: ['configmaps'], verbs: ['*'] }];
      const role = { metadata: { name }, rules };
      await api.want(201, { method: 'POST', path: rolesIn('default'), body: role });
      await untilAllowed(account.api, wanted);
      await api.want(200, { method: 'DELETE', path: `${rolesIn('default')}/${name}` });
      await untilAllowed(account.api, wanted, false);
    },
  },
  {
    name: 'users and groups are given rights like accounts, and accounts are in their groups',
    async run(api) {
      const account = await anAccount(api);
      const group = api.name();
      const user = api.name();
      const apiGroup = 'rbac.authorization.k8s.io';
      const rule = { ...core, resources: ['nodes'], verbs: [`do-${group}`] };
      await grant(api, [rule], {
        to: [
          { kind: 'Group', apiGroup, name: group },
          { kind: 'User', name: user },
          { kind: 'Group', apiGroup, name: 'system:serviceaccounts:default' },
        ],
      });
      await untilAllowed(account.api, { verb: `do-${group}` });
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const resourceAttributes = { verb: `do-${group}`, resource: 'nodes' };
      const answer = async (spec: object): Promise<boolean> =>
        (await api.want(201, { method: 'POST', path, body: { spec } })).body.status.allowed;
      assert.equal(await answer({ user: 'x', groups: [group], resourceAttributes }), true);
      assert.equal(await answer({ user, resourceAttributes }), true);
      assert.equal(await answer({ user: 'x', groups: [user], resourceAttributes }), false);
    },
  },
  {
    name: 'a rule for paths gives these and what a star at their end stands for',
    async run(api) {
      const user = api.name();
      const rules = [{ nonResourceURLs: ['/metrics', '/debug/*'], verbs: ['get'] }];
      await grant(api, rules, { to: [{ kind: 'User', name: user }] });
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const answer = async (asked: string, verb = 'get'): Promise<boolean> => {
        const spec = { user, nonResourceAttributes: { path: asked, verb } };
        return (await api.want(201, { method: 'POST', path, body: { spec } })).body.status.allowed;
      };
      for (let tries = 0; !(await answer('/metrics')); tries += 1) {
        assert.ok(tries < 200, 'the rule never counted');
        await api.elapse(50);
      }
      assert.equal(await answer('/debug/pprof'), true);
      assert.equal(await answer('/metrics/more'), false);
      assert.equal(await answer('/metrics', 'post'), false);
    },
  },
  {
    name: 'somebody is told all that they may do in a namespace',
    async run(api) {
      const account = await anAccount(api);
      const everywhere = { ...core, resources: ['nodes'], verbs: ['list', 'watch'] };
      const some = { ...coordination, resourceNames: ['mine'], verbs: ['get'] };
      await grant(api, [everywhere], { to: [account.subject] });
      await grant(api, [some], { to: [account.subject], namespace: 'kube-public' });
      await untilAllowed(account.api, { verb: 'list' });
      const wanted = { verb: 'get', group: 'coordination.k8s.io', resource: 'leases' };
      await untilAllowed(account.api, { ...wanted, namespace: 'kube-public', name: 'mine' });
      const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
      const told = async (who: Session, namespace: string): Promise<Answer['body']> =>
        (await who.want(201, { method: 'POST', path, body: { spec: { namespace } } })).body;
      const isSame = (one: object) => (other: object) => isDeepStrictEqual(one, other);

      const here = await told(account.api, 'kube-public');
      assert.deepEqual([here.kind, here.spec], ['SelfSubjectRulesReview', {}]);
      const { resourceRules, nonResourceRules, incomplete } = here.status;
      assert.equal(incomplete, false);
      assert.ok(resourceRules.some(isSame(everywhere)) && resourceRules.some(isSame(some)));
      const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
      assert.ok(nonResourceRules.some(isSame({ verbs: ['get'], nonResourceURLs: health })));

      const elsewhere = (await told(account.api, 'nowhere')).status.resourceRules;
      assert.ok(elsewhere.some(isSame(everywhere)) && !elsewhere.some(isSame(some)));
      const admin = (await told(api, 'default')).status;
      const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
      assert.ok(admin.resourceRules.some(isSame(all)));
      assert.ok(admin.nonResourceRules.some(isSame({ verbs: ['*'], nonResourceURLs: ['*'] })));
      const nowhere = await api.want(400, { method: 'POST', path, body: { spec: {} } });
      assert.equal(nowhere.body.message, 'no namespace on request');
    },
  },
  {
    name: 'a change of a role counts for whoever it is bound to',
    async run(api) {
      const account = await anAccount(api);
      const rule = { ...core, resources: ['nodes'], verbs: ['get'] };
      const role = await grant(api, [rule], { to: [account.subject] });
      await untilAllowed(account.api, { verb: 'get' });
      const path = `${clusterRoles}/${role}`;
      const { status } = await api.patch(path, { rules: [] }, mergePatch);
      assert.equal(status, 200);
      await untilAllowed(account.api, { verb: 'get' }, false);
    },
  },
  {
    name: 'whoever has a token may ask what there is, what they may do and who they are',
    async run(api) {
      const { api: own, username } = await anAccount(api);
      for (const path of ['/api', '/apis', '/api/v1', '/openapi/v3', '/version', '/readyz']) {
        await own.want(200, { path });
      }
      assert.equal(await isAllowed(own, { verb: 'get' }), false);
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { userInfo } = (await own.want(201, { method: 'POST', path, body: {} })).body.status;
      assert.equal(userInfo.username, username);
      const { body } = await own.want(403, { path: '/metrics' });
      assert.equal(body.message, `forbidden: User "${username}" cannot get path "/metrics"`);
    },
  },
  {
    name: 'the roles that manifests of controllers bind to are there',
    async run(api) {
      const delegator = await api.want(200, { path: `${clusterRoles}/system:auth-delegator` });
      assert.deepEqual(delegator.body.rules, [
        { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'] },
        {
          verbs: ['create'],
          apiGroups: ['authorization.k8s.io'],
          resources: ['subjectaccessreviews'],
        },
      ]);
      const path = `${rolesIn('kube-system')}/extension-apiserver-authentication-reader`;
      const resourceNames = ['extension-apiserver-authentication'];
      assert.deepEqual((await api.want(200, { path })).body.rules, [
        { verbs: ['get', 'list', 'watch'], ...core, resources: ['configmaps'], resourceNames },
      ]);
      const admin = await api.want(200, { path: `${clusterRoles}/cluster-admin` });
      assert.deepEqual(admin.body.rules, [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ]);
    },
  },
];
