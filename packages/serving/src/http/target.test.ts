import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readTarget } from './target.ts';

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
    it(`of ${JSON.stringify(url)} is reviewed as ${JSON.stringify(reviewed)}`, () => {
      const target = readTarget(url);
      assert.deepEqual([target.path, target.reviewedPath], [path, reviewed]);
    });
  }

  it('is a page only if it is reviewed as that page', () => {
    const pieces = fc.constantFrom('/', 'metrics', '%', '2f', '.', '?', '%6d', '\\', ';', 'é');
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const { path, reviewedPath } = readTarget(parts.join(''));
        if (path === '/metrics') assert.equal(reviewedPath, '/metrics');
      }),
    );
  });
});
