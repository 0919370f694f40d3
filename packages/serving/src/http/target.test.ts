import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readTarget } from './target.ts';
import { assertHits } from '../../../../test/support/hits.ts';

describe('the target of a request', () => {
  const cases = [
    { url: '/metrics', path: '/metrics', reviewed: '/metrics' },
    { url: '/livez?verbose&exclude=a', path: '/livez', reviewed: '/livez' },
    { url: '//metrics', path: '//metrics', reviewed: '//metrics' },
    { url: '/a/../metrics', path: '/a/../metrics', reviewed: '/a/../metrics' },
    { url: '/%6detrics', path: '/%6detrics', reviewed: '/metrics' },
    { url: '/%256detrics', path: '/%256detrics', reviewed: '/%6detrics' },
    {
      url: '/healthz%2f..%2fmetrics',
      path: '/healthz%2f..%2fmetrics',
      reviewed: '/healthz/../metrics',
    },
    { url: '/%zz', path: '/%zz', reviewed: '/%zz' },
    { url: '/%ff', path: '/%ff', reviewed: '/%ff' },
    { url: 'https://m/metrics', path: 'https://m/metrics', reviewed: 'https://m/metrics' },
    { url: '/metrics%3Fa?b', path: '/metrics%3Fa', reviewed: '/metrics?a' },
    { url: '', path: '', reviewed: '' },
  ];
  for (const { url, path, reviewed } of cases) {
    it(`for ${JSON.stringify(url)} is authorized as ${JSON.stringify(reviewed)}`, () => {
      const target = readTarget(url);
      assert.deepEqual([target.path, target.reviewedPath], [path, reviewed]);
    });
  }

  it('is a page only if it is authorized as that page', () => {
    const pieces = fc.constantFrom('/', 'metrics', '%', '2f', '.', '?', '%6d', '\\', ';', 'é');
    const start = fc.constantFrom('', '/metrics', '/metrics?', '//metrics', '/%6detrics');
    assertHits(20, (hit) =>
      fc.assert(
        fc.property(start, fc.array(pieces), (text, parts) => {
          const { path, reviewedPath } = readTarget([text, ...parts].join(''));
          if (path !== '/metrics') return;
          hit();
          assert.equal(reviewedPath, '/metrics');
        }),
        { numRuns: 500 },
      ),
    );
  });
});
