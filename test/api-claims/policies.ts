/** Roles, bindings, accounts and their tokens as objects: what they must be like, and who may write them. */
import assert from 'node:assert/strict';
import {
  accounts,
  anAccount,
  clusterRoleBindings,
  clusterRoles,
  grant,
  roleBindingsIn,
  rolesIn,
  untilAllowed,
} from './accounts.ts';
import type { Claim } from './claim.ts';
import { mergePatch, type Session, verdictOf } from './session.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';

const refusedRules: readonly [path: string, rule: object, ...causes: string[]][] = [
  [clusterRoles, {}, 'verbs Required', 'apiGroups Required', 'resources Required'],
  [clusterRoles, { verbs: ['get'], apiGroups: [''] }, 'resources Required'],
  [clusterRoles, { verbs: ['get'], resources: ['nodes'] }, 'apiGroups Required'],
  [
    clusterRoles,
    { verbs: ['get'], resources: ['nodes'], nonResourceURLs: ['/x'] },
    'nonResourceURLs Invalid',
  ],
  [rolesIn('default'), { verbs: ['get'], nonResourceURLs: ['/x'] }, 'nonResourceURLs Invalid'],
];

const roleRef = { apiGroup, kind: 'ClusterRole', name: 'r' };
const subject = { kind: 'User', name: 'u' };

const refusedBindings: readonly [path: string, binding: object, ...causes: string[]][] = [
  [clusterRoleBindings, { roleRef: { ...roleRef, kind: 'Role' } }, 'roleRef.kind NotSupported'],
  [clusterRoleBindings, { roleRef: { ...roleRef, name: '' } }, 'roleRef.name Required'],
  [clusterRoleBindings, { roleRef: { ...roleRef, name: 'a/b' } }, 'roleRef.name Invalid'],
  [
    roleBindingsIn('default'),
    { roleRef: { ...roleRef, apiGroup: 'x' } },
    'roleRef.apiGroup NotSupported',
  ],
  [
    clusterRoleBindings,
    { roleRef, subjects: [{ ...subject, name: '' }] },
    'subjects[0].name Required',
  ],
  [
    clusterRoleBindings,
    { roleRef, subjects: [subject, { ...subject, kind: 'X' }] },
    'subjects[1].kind NotSupported',
  ],
  [
    clusterRoleBindings,
    { roleRef, subjects: [{ kind: 'ServiceAccount', name: 'A', apiGroup: 'x' }] },
    'subjects[0].name Invalid',
    'subjects[0].apiGroup NotSupported',
    'subjects[0].namespace Required',
  ],
  [
    roleBindingsIn('default'),
    { roleRef, subjects: [{ kind: 'Group', name: 'g', apiGroup: 'x' }] },
    'subjects[0].apiGroup NotSupported',
  ],
];

async function refusedWith(api: Session, path: string, body: object): Promise<unknown[]> {
  return verdictOf(await api.ask({ method: 'POST', path, body }));
}

export const policies: readonly Claim[] = [
  {
    name: 'rules without verbs, groups, resources or with both sorts of things are refused',
    async run(api) {
      for (const [path, rule, ...causes] of refusedRules) {
        const body = { metadata: { name: api.name() }, rules: [rule] };
        const want = causes.map((cause) => `rules[0].${cause.replace(' ', ' FieldValue')}`);
        assert.deepEqual(await refusedWith(api, path, body), [422, 'Invalid', ...want]);
      }
    },
  },
  {
    name: 'bindings to something that is no role, or of something that is nobody, are refused',
    async run(api) {
      for (const [path, binding, ...causes] of refusedBindings) {
        const body = { metadata: { name: api.name() }, ...binding };
        const want = causes.map((cause) => cause.replace(' ', ' FieldValue'));
        assert.deepEqual(await refusedWith(api, path, body), [422, 'Invalid', ...want]);
      }
    },
  },
  {
    name: 'a binding keeps its role, and its subjects may change',
    async run(api) {
      const name = `${api.name()}:with:colons`;
      const body = {
        metadata: { name },
        roleRef: { kind: 'ClusterRole', name: 'r' },
        subjects: [subject],
      };
      const created = await api.want(201, { method: 'POST', path: clusterRoleBindings, body });
      assert.deepEqual(created.body.roleRef, roleRef);
      assert.deepEqual(created.body.subjects, [{ kind: 'User', apiGroup, name: 'u' }]);
      const path = `${clusterRoleBindings}/${name}`;
      const other = await api.patch(path, { roleRef: { name: 's' } }, mergePatch);
      assert.deepEqual(verdictOf(other), [422, 'Invalid', 'roleRef FieldValueInvalid']);
      const fewer = await api.patch(path, { subjects: null }, mergePatch);
      assert.deepEqual([fewer.status, fewer.body.subjects], [200, undefined]);
    },
  },
  {
    name: 'names of roles may not be what a path cannot have',
    async run(api) {
      for (const name of ['a%b', '..']) {
        const body = { metadata: { name }, rules: [] };
        const want = [422, 'Invalid', 'metadata.name FieldValueInvalid'];
        assert.deepEqual(await refusedWith(api, clusterRoles, body), want);
      }
    },
  },
  {
    name: 'nobody gives away by a role what they do not have, unless they may escalate',
    async run(api) {
      const account = await anAccount(api);
      const own = { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] };
      const writing = {
        apiGroups: [apiGroup],
        resources: ['clusterroles'],
        verbs: ['create', 'patch'],
      };
      const name = api.name();
      const free = `${name}-free`;
      const escalating = { ...writing, resourceNames: [free], verbs: ['escalate'] };
      await grant(api, [own, writing, escalating], { to: [account.subject] });
      await untilAllowed(account.api, {
        verb: 'create',
        group: apiGroup,
        resource: 'clusterroles',
      });
      const create = (role: string, rule: object) => {
        const body = { metadata: { name: role }, rules: [rule] };
        return account.api.ask({ method: 'POST', path: clusterRoles, body });
      };
      const refused = await create(name, { ...own, verbs: ['get', 'delete'] });
      const groups =
        '"system:serviceaccounts" "system:serviceaccounts:default" "system:authenticated"';
      assert.deepEqual(
        [refused.status, refused.body.message],
        [
          403,
          `clusterroles.${apiGroup} "${name}" is forbidden: user "${account.username}" (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["nodes"], Verbs:["delete"]}`,
        ],
      );
      assert.equal((await create(name, { ...own, resources: ['*'] })).status, 403);
      assert.equal((await create(name, { ...own, resourceNames: ['n'] })).status, 201);
      // A name cannot be known before the object is there.
      assert.equal((await create(free, { ...own, verbs: ['*'] })).status, 403);
      assert.equal((await create(free, own)).status, 201);
      const path = `${clusterRoles}/${name}`;
      const rules = [{ ...own, verbs: ['*'] }];
      assert.equal((await account.api.patch(path, { rules }, mergePatch)).status, 403);
      const freely = await account.api.patch(`${clusterRoles}/${free}`, { rules }, mergePatch);
      assert.equal(freely.status, 200);
    },
  },
  {
    name: 'nobody gives away by a binding what they do not have, unless they may bind',
    async run(api) {
      const account = await anAccount(api);
      const more = await grant(
        api,
        [{ apiGroups: [''], resources: ['nodes'], verbs: ['delete'] }],
        { to: [] },
      );
      const binding = { apiGroups: [apiGroup], resources: ['rolebindings'], verbs: ['create'] };
      const to = [account.subject];
      await grant(api, [binding], { to, namespace: 'default' });
      const wanted = {
        verb: 'create',
        group: apiGroup,
        resource: 'rolebindings',
        namespace: 'default',
      };
      await untilAllowed(account.api, wanted);
      const bind = () => {
        const body = {
          metadata: { name: api.name() },
          roleRef: { ...roleRef, name: more },
          subjects: to,
        };
        return account.api.ask({ method: 'POST', path: roleBindingsIn('default'), body });
      };
      const refused = await bind();
      assert.match(refused.body.message, /attempting to grant RBAC permissions not currently held/);
      const mayBind = { apiGroups: [apiGroup], resources: ['clusterroles'], resourceNames: [more] };
      await grant(api, [{ ...mayBind, verbs: ['bind'] }], { to, namespace: 'default' });
      const role = { verb: 'bind', group: apiGroup, resource: 'clusterroles', name: more };
      await untilAllowed(account.api, { ...role, namespace: 'default' });
      assert.equal((await bind()).status, 201);
    },
  },
  {
    name: 'a token of an account is asked for, lasts as long as it says, and tells who it belongs to',
    async run(api) {
      const { name, uid, username, token } = await anAccount(api);
      const path = '/apis/authentication.k8s.io/v1/tokenreviews';
      const review = (await api.want(201, { method: 'POST', path, body: { spec: { token } } }))
        .body;
      const { user, authenticated } = review.status;
      assert.deepEqual(
        [authenticated, user.username, user.uid, user.groups],
        [
          true,
          username,
          uid,
          ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
        ],
      );
      const ask = (spec: object, account: string = name) =>
        api.ask({ method: 'POST', path: `${accounts}/${account}/token`, body: { spec } });
      const { status, body } = await ask({ expirationSeconds: 1_200 });
      const { creationTimestamp } = body.metadata;
      const lastsMs = Date.parse(body.status.expirationTimestamp) - Date.parse(creationTimestamp);
      assert.deepEqual([status, body.kind, lastsMs], [201, 'TokenRequest', 1_200_000]);
      const cause = 'spec.expirationSeconds FieldValueInvalid';
      assert.deepEqual(verdictOf(await ask({ expirationSeconds: 599 })), [422, 'Invalid', cause]);
      assert.deepEqual(verdictOf(await ask({}, 'nobody')), [404, 'NotFound']);
      await api.want(405, { path: `${accounts}/${name}/token` });
    },
  },
  {
    name: 'a token ends with its account, and a namesake does not inherit it',
    async run(api) {
      const { name, token } = await anAccount(api);
      const body = { spec: {} };
      const path = `${accounts}/${name}/token`;
      const later = (await api.want(201, { method: 'POST', path, body })).body.status.token;
      const isGood = async (shown: string): Promise<boolean> => {
        const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
        const question = {
          method: 'POST',
          path: reviews,
          body: { spec: { token: shown } },
        } as const;
        return (await api.want(201, question)).body.status.authenticated === true;
      };
      assert.equal(await isGood(token), true);
      await api.want(200, { method: 'DELETE', path: `${accounts}/${name}` });
      await anAccount(api, name);
      // One that was found good is remembered for a while.
      for (let tries = 0; await isGood(later); tries += 1) {
        assert.ok(tries < 100, 'the token of an account that is gone counts');
        await api.elapse(50);
      }
    },
  },
  {
    name: 'roles, bindings and accounts have tables of their own',
    async run(api) {
      const account = await anAccount(api);
      const apiGroups = [''];
      const rules = [{ apiGroups, resources: ['nodes'], verbs: ['get'] }];
      const role = await grant(api, rules, { to: [account.subject, subject] });
      const cellsOf = async (path: string): Promise<[string, unknown[]]> => {
        const { body } = await api.want(200, { path, accept: table });
        const names = body.columnDefinitions.map(({ name }: { name: string }) => name).join();
        return [names, body.rows[0].cells];
      };
      const [roleNames, roleCells] = await cellsOf(`${clusterRoles}/${role}`);
      assert.deepEqual([roleNames, roleCells[0]], ['Name,Created At', role]);
      assert.match(String(roleCells[1]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      const [names, [name, bound, , ...subjects]] = await cellsOf(`${clusterRoleBindings}/${role}`);
      assert.equal(names, 'Name,Role,Age,Users,Groups,ServiceAccounts');
      assert.deepEqual(
        [name, bound, ...subjects],
        [role, `ClusterRole/${role}`, 'u', '', `default/${account.name}`],
      );
      const [accountNames, accountCells] = await cellsOf(`${accounts}/${account.name}`);
      assert.deepEqual([accountNames, accountCells[0]], ['Name,Age', account.name]);
    },
  },
];
