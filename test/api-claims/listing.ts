/** Lists: pages, versions, selectors. */
import assert from 'node:assert/strict';
import { type Claim, configMaps, leases, nodes, type Session, verdictOf } from './session.ts';

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

const namesOf = ({ items }: Listed): string[] => items.map(({ metadata }) => metadata.name);

/** Nodes with a label of their own, and the selector for them. */
async function someNodes(api: Session, count: number) {
  const group = api.name();
  const names = Array.from({ length: count }, (_, index) => `${group}-${index}`);
  let last = '';
  for (const name of names) {
    const node = await api.aNode({ name, metadata: { labels: { group } } });
    last = node.metadata.resourceVersion;
  }
  return { names, last, list: `${nodes}?labelSelector=group%3D${group}` };
}

export const listing: readonly Claim[] = [
  {
    name: 'a list is in the order of names, and its items have no kind of their own',
    async run(api) {
      const { names, list } = await someNodes(api, 3);
      const { body } = await api.want(200, { path: list });
      assert.deepEqual(namesOf(body), names);
      assert.deepEqual(
        [body.kind, body.apiVersion, body.items[0].kind],
        ['NodeList', 'v1', undefined],
      );
      assert.match(body.metadata.resourceVersion, /^\d+$/);
    },
  },
  {
    name: 'all pages of a list are of the version of the first, whatever happens in between',
    async run(api) {
      const { names, list } = await someNodes(api, 4);
      const first = (await api.want(200, { path: `${list}&limit=1` })).body;
      await api.want(200, { method: 'DELETE', path: `${nodes}/${names[2]}` });
      await api.patch(`${nodes}/${names[1]}`, { spec: { unschedulable: true } });
      const seen = [...first.items];
      for (let page = first; page.metadata.continue !== undefined;) {
        const token = page.metadata.continue;
        page = (await api.want(200, { path: `${list}&limit=2&continue=${token}` })).body;
        assert.equal(page.metadata.resourceVersion, first.metadata.resourceVersion);
        seen.push(...page.items);
      }
      assert.deepEqual(namesOf({ items: seen }), names);
      assert.equal(seen[1].spec.unschedulable, undefined);
    },
  },
  {
    name: 'a page has the number of remaining items, except with a selector',
    async run(api) {
      const { list } = await someNodes(api, 2);
      const all = (await api.want(200, { path: `${nodes}?limit=1` })).body;
      assert.ok(all.metadata.remainingItemCount >= 1);
      const some = (await api.want(200, { path: `${list}&limit=1` })).body;
      assert.equal(some.metadata.remainingItemCount, undefined);
      assert.equal(typeof some.metadata.continue, 'string');
    },
  },
  {
    name: 'version 0 lists everything at once, whatever the limit',
    async run(api) {
      const { names, list } = await someNodes(api, 2);
      await api.elapse(200);
      const { body } = await api.want(200, { path: `${list}&limit=1&resourceVersion=0` });
      assert.deepEqual([namesOf(body), body.metadata.continue], [names, undefined]);
    },
  },
  {
    name: 'an exact version lists the past',
    async run(api) {
      const { names, last, list } = await someNodes(api, 2);
      await api.want(200, { method: 'DELETE', path: `${nodes}/${names[0]}` });
      const exact = `${list}&resourceVersion=${last}&resourceVersionMatch=Exact`;
      const { body } = await api.want(200, { path: exact });
      assert.deepEqual([namesOf(body), body.metadata.resourceVersion], [names, last]);
    },
  },
  {
    name: 'a version with a limit is exact, and without one at least that',
    async run(api) {
      const { names, last, list } = await someNodes(api, 2);
      await api.want(200, { method: 'DELETE', path: `${nodes}/${names[0]}` });
      await api.elapse(200);
      const limited = (await api.want(200, { path: `${list}&resourceVersion=${last}&limit=5` }))
        .body;
      assert.deepEqual([namesOf(limited), limited.metadata.resourceVersion], [names, last]);
      const path = `${list}&resourceVersion=${last}&resourceVersionMatch=NotOlderThan&limit=5`;
      const newer = (await api.want(200, { path })).body;
      assert.ok(+newer.metadata.resourceVersion >= +last);
    },
  },
  {
    name: 'a version of the future is answered with 504 and ResourceVersionTooLarge',
    async run(api) {
      for (const path of [
        `${nodes}?resourceVersion=99999999`,
        `${nodes}/x?resourceVersion=99999999`,
      ]) {
        const answer = await api.want(504, { path });
        assert.equal(answer.body.reason, 'Timeout');
        assert.equal(answer.body.details.causes[0].reason, 'ResourceVersionTooLarge');
        assert.equal(answer.body.details.retryAfterSeconds, 1);
        assert.equal(answer.headers['retry-after'], '1');
      }
    },
  },
  {
    name: 'options that make no sense together are refused with 422',
    async run(api) {
      const cases = {
        'resourceVersionMatch=Exact': 'resourceVersionMatch FieldValueForbidden',
        'resourceVersion=0&resourceVersionMatch=Exact': 'resourceVersionMatch FieldValueForbidden',
        'resourceVersion=1&resourceVersionMatch=Odd': 'resourceVersionMatch FieldValueNotSupported',
        'sendInitialEvents=true': 'sendInitialEvents FieldValueForbidden',
        'watch=1&sendInitialEvents=true': 'resourceVersionMatch FieldValueForbidden',
        'watch=1&resourceVersionMatch=NotOlderThan': 'resourceVersionMatch FieldValueForbidden',
      };
      for (const [query, cause] of Object.entries(cases)) {
        const answer = await api.ask({ path: `${nodes}?${query}` });
        assert.deepEqual(verdictOf(answer), [422, 'Invalid', cause], query);
      }
    },
  },
  {
    name: 'malformed numbers and tokens are refused with 400',
    async run(api) {
      for (const query of [
        'limit=x',
        'resourceVersion=x',
        'continue=x',
        'watch=1&timeoutSeconds=x',
      ]) {
        assert.equal((await api.ask({ path: `${nodes}?${query}` })).status, 400, query);
      }
    },
  },
  {
    name: 'labels are selected by value, by set and by presence',
    async run(api) {
      const group = api.name();
      const make = (labels: object) => api.aNode({ metadata: { labels: { group, ...labels } } });
      const red = (await make({ colour: 'red', big: '' })).metadata.name;
      const blue = (await make({ colour: 'blue' })).metadata.name;
      const plain = (await make({})).metadata.name;
      const cases: [string, string[]][] = [
        ['colour=red', [red]],
        ['colour==red', [red]],
        ['colour!=red', [blue, plain]],
        ['colour in (red,blue)', [red, blue]],
        ['colour notin (red)', [blue, plain]],
        ['colour', [red, blue]],
        ['!colour', [plain]],
        ['colour=red,big', [red]],
        ['big=', [red]],
      ];
      for (const [selector, want] of cases) {
        const path = `${nodes}?labelSelector=${encodeURIComponent(`group=${group},${selector}`)}`;
        assert.deepEqual(namesOf((await api.want(200, { path })).body), want.toSorted(), selector);
      }
    },
  },
  {
    name: 'an invalid label selector is refused with 400',
    async run(api) {
      for (const selector of ['a b c', 'a in b', '=x', 'a=b c']) {
        const path = `${nodes}?labelSelector=${encodeURIComponent(selector)}`;
        assert.deepEqual(verdictOf(await api.ask({ path })), [400, 'BadRequest'], selector);
      }
    },
  },
  {
    name: 'nodes are selected by name and by being schedulable',
    async run(api) {
      const { metadata } = await api.aNode({ spec: { unschedulable: true } });
      const list = async (selector: string) =>
        namesOf(
          (await api.want(200, { path: `${nodes}?fieldSelector=${encodeURIComponent(selector)}` }))
            .body,
        );
      const { name } = metadata;
      assert.deepEqual(await list(`metadata.name=${name}`), [name]);
      assert.deepEqual(await list(`metadata.name=${name},spec.unschedulable=false`), []);
      assert.ok((await list('spec.unschedulable=true')).includes(name));
      assert.ok(!(await list(`metadata.name!=${name}`)).includes(name));
    },
  },
  {
    name: 'a field that cannot be selected by is refused with 400',
    async run(api) {
      for (const path of [
        `${nodes}?fieldSelector=a%3Db`,
        `${nodes}?fieldSelector=a`,
        `${leases}?fieldSelector=a%3Db`,
      ]) {
        assert.deepEqual(verdictOf(await api.ask({ path })), [400, 'BadRequest'], path);
      }
    },
  },
  {
    name: 'a list across namespaces holds those of each, and a namespace its own',
    async run(api) {
      const name = api.name();
      const create = (namespace: string) =>
        api.want(201, {
          method: 'POST',
          path: configMaps.replace('default', namespace),
          body: { metadata: { name } },
        });
      await create('default');
      await create('kube-system');
      const selector = `?fieldSelector=metadata.name%3D${name}`;
      const all = (await api.want(200, { path: `/api/v1/configmaps${selector}` })).body;
      const homes = all.items.map(
        (item: { metadata: { namespace: string } }) => item.metadata.namespace,
      );
      assert.deepEqual(homes, ['default', 'kube-system']);
      const one = (await api.want(200, { path: `${configMaps}${selector}` })).body;
      assert.deepEqual(namesOf(one), [name]);
    },
  },
  {
    name: 'pods of a node can be listed, as describe and drain do, and there are none',
    async run(api) {
      const fields = 'spec.nodeName=n,status.phase!=Succeeded,status.phase!=Failed';
      const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(fields)}&limit=500`;
      const { body } = await api.want(200, { path });
      assert.deepEqual([body.kind, body.items], ['PodList', []]);
    },
  },
];
