/** Acting as somebody else: who may, as whom, and that it is then that user who asks. */
import assert from 'node:assert/strict';
import { anAccount, grant, untilAllowed } from './accounts.ts';
import type { Claim } from './claim.ts';
import { nodes, type Session, verdictOf } from './session.ts';

type Headers = Readonly<Record<string, string>>;

async function whoAmI(api: Session, headers: Headers): Promise<unknown> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const { body } = await api.want(201, { method: 'POST', path, body: {}, headers });
  return body.status.userInfo;
}

export const impersonating: readonly Claim[] = [
  {
    name: 'whoever acts as somebody has their rights and not the own ones',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const headers = { 'impersonate-user': 'nobody' };
      const refused = await api.ask({ method: 'DELETE', path, headers });
      assert.deepEqual(verdictOf(refused), [403, 'Forbidden']);
      assert.match(refused.body.message, /User "nobody" cannot delete resource "nodes"/);
      await api.want(200, { path });
      const master = { ...headers, 'impersonate-group': 'system:masters' };
      await api.want(200, { method: 'DELETE', path, headers: master });
    },
  },
  {
    name: 'somebody else is who the headers say, with the groups that everybody has',
    async run(api) {
      const userInfo = await whoAmI(api, {
        'impersonate-user': 'jane',
        'impersonate-group': 'people',
        'impersonate-uid': 'u',
        'impersonate-extra-a.io%2Fscopes': 'all',
      });
      assert.deepEqual(userInfo, {
        username: 'jane',
        uid: 'u',
        groups: ['people', 'system:authenticated'],
        extra: { 'a.io/scopes': ['all'] },
      });
      const account = 'system:serviceaccount:default:x';
      assert.deepEqual(await whoAmI(api, { 'impersonate-user': account }), {
        username: account,
        groups: [
          'system:serviceaccounts',
          'system:serviceaccounts:default',
          'system:authenticated',
        ],
      });
    },
  },
  {
    name: 'groups, a UID or extras of nobody are refused',
    async run(api) {
      for (const header of ['impersonate-group', 'impersonate-uid', 'impersonate-extra-a']) {
        const answer = await api.ask({ path: nodes, headers: { [header]: 'x' } });
        assert.deepEqual(verdictOf(answer), [400, 'BadRequest'], header);
      }
    },
  },
  {
    name: 'acting as somebody is a right for each user, group, account, UID and extra value',
    async run(api) {
      const account = await anAccount(api);
      const as = (headers: Headers) => account.api.ask({ path: '/version', headers });
      const user = { 'impersonate-user': 'jane' };
      const refused = await as(user);
      assert.deepEqual(verdictOf(refused), [403, 'Forbidden']);
      assert.match(refused.body.message, /User ".*" cannot impersonate/);
      const authentication = 'authentication.k8s.io';
      const verbs = ['impersonate'];
      const rules = [
        { verbs, apiGroups: [''], resources: ['users'], resourceNames: ['jane'] },
        { verbs, apiGroups: [''], resources: ['groups'], resourceNames: ['people'] },
        { verbs, apiGroups: [authentication], resources: ['uids'], resourceNames: ['u'] },
        { verbs, apiGroups: [authentication], resources: ['userextras/k'], resourceNames: ['v'] },
      ];
      await grant(api, rules, { to: [account.subject] });
      await untilAllowed(account.api, { verb: 'impersonate', resource: 'users', name: 'jane' });
      const cases: readonly (readonly [headers: Headers, status: number])[] = [
        [user, 200],
        [{ 'impersonate-user': 'joe' }, 403],
        [{ 'impersonate-user': 'system:serviceaccount:default:x' }, 403],
        [{ ...user, 'impersonate-group': 'people' }, 200],
        [{ ...user, 'impersonate-group': 'system:masters' }, 403],
        [{ ...user, 'impersonate-uid': 'u' }, 200],
        [{ ...user, 'impersonate-uid': 'w' }, 403],
        [{ ...user, 'impersonate-extra-k': 'v' }, 200],
        [{ ...user, 'impersonate-extra-k': 'w' }, 403],
      ];
      for (const [headers, status] of cases) {
        const answer = await as(headers);
        assert.equal(answer.status, status, `${JSON.stringify(headers)} ${answer.text}`);
      }
    },
  },
];
