import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import type { Reply } from '../http/reply.ts';
import type { ListAnswer, ListPage } from '../pages.ts';
import { listReply } from './list-page.ts';

const names = Array.from({ length: 1_234 }, (_, index) => `node-${String(index).padStart(4, '0')}`);

/** Counts the items that were built. */
class Fleet implements ListPage {
  readonly apiVersion = 'example.dev/v1';
  readonly kind = 'ThingList';
  readonly filters = ['name', 'state'];
  readonly filterValues = { state: ['ready', 'refused'] };
  made = 0;
  summary = { version: 1 };

  read(): ListAnswer {
    const entries = names.toReversed().map((name) => ({
      key: name,
      item: () => {
        this.made += 1;
        return { name, state: name.endsWith('7') ? 'refused' : 'ready' };
      },
    }));
    return { kind: 'list', summary: this.summary, entries };
  }
}

function ask(page: ListPage, query = '', headers: { match?: string; encoding?: string } = {}) {
  return listReply(page, {
    query: new URLSearchParams(query),
    ifNoneMatch: headers.match,
    acceptEncoding: headers.encoding,
  });
}

function bodyOf({ body }: Reply) {
  const { metadata, items } = JSON.parse(body);
  return { metadata, names: items.map(({ name }: { name: string }) => name) };
}

describe('a list of data on the secure port', () => {
  it('comes in pages with each item once and in order, and builds only the items of a page', async () => {
    const fleet = new Fleet();
    const seen: string[] = [];
    let token: string | undefined = '';
    for (let pages = 0; token !== undefined; pages += 1) {
      assert.ok(pages < 4);
      fleet.made = 0;
      const { metadata, names: shown } = bodyOf(await ask(fleet, `continue=${token}`));
      assert.equal(fleet.made, shown.length);
      seen.push(...shown);
      token = metadata.continue;
      assert.equal(metadata.remainingItemCount ?? 0, names.length - seen.length);
    }
    assert.deepEqual(seen, names);
  });

  it('can be filtered by fields of its items, also in pages', async () => {
    const refused = names.filter((name) => name.endsWith('7'));
    const first = bodyOf(await ask(new Fleet(), 'state=refused&limit=100'));
    const rest = bodyOf(
      await ask(new Fleet(), `state=refused&limit=100&continue=${first.metadata.continue}`),
    );
    assert.deepEqual([...first.names, ...rest.names], refused);
    const two = bodyOf(await ask(new Fleet(), 'name=node-0007&name=node-0008&state=ready'));
    assert.deepEqual(two.names, ['node-0008']);
  });

  it('is 304 when it has not changed, and only then', async () => {
    const fleet = new Fleet();
    const etag = (await ask(fleet)).headers?.['etag'] ?? '';
    assert.match(etag, /^"[\w-]+"$/);
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { status, body, headers } = await ask(fleet, '', { match });
      assert.deepEqual([status, body, headers?.['etag']], [304, '', etag]);
    }
    assert.equal((await ask(fleet, 'limit=7', { match: etag })).status, 200);
    fleet.summary = { version: 2 };
    assert.equal((await ask(fleet, '', { match: etag })).status, 200);
  });

  it('is compressed with gzip for a client that accepts it', async () => {
    const { content, body } = await ask(new Fleet(), '', { encoding: 'gzip' });
    assert.equal(gunzipSync(content ?? '').toString('utf8'), body);
  });

  const bad = [
    { query: 'limit=0', says: /limit must be a whole number from 1 to 2000, not "0"/ },
    { query: 'limit=2001', says: /limit must be/ },
    { query: 'limit=ten', says: /limit must be/ },
    { query: 'continue=%25', says: /begin again without it/ },
    {
      query: 'stat=refused',
      says: /"stat" is not a parameter of this page: expected limit, continue, name, state/,
    },
    { query: 'state=bogus', says: /^state "bogus" is not one of ready, refused$/ },
    { query: 'state=ready&state=Ready', says: /^state "Ready" is not one of ready, refused$/ },
    { query: 'state=', says: /^state "" is not one of ready, refused$/ },
  ];
  for (const { query, says } of bad) {
    it(`refuses ${query}`, async () => {
      const { status, body } = await ask(new Fleet(), query);
      assert.equal(status, 400);
      assert.match(JSON.parse(body).message, says);
    });
  }

  it('is an error, not an empty list, when the manager has no data', async () => {
    const answers = [
      { answer: { kind: 'absent', message: 'It gives nodes no pod CIDRs' }, status: 404 },
      { answer: { kind: 'unavailable', message: 'This manager does not lead' }, status: 503 },
    ] as const;
    for (const { answer, status } of answers) {
      const page: ListPage = { apiVersion: '', kind: '', filters: [], read: () => answer };
      const reply = await ask(page);
      const { kind, message } = JSON.parse(reply.body);
      assert.deepEqual([reply.status, kind, message], [status, 'Status', answer.message]);
    }
  });
});
