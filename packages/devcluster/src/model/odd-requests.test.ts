import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { admin } from '../access/index.ts';
import { aCluster } from './asking.fixture.ts';

const paths = [
  '/api/v1/nodes',
  '/api/v1/nodes/n',
  '/api/v1/nodes/n/status',
  '/api/v1/nodes/%E0%A4%A',
  '/api/v1/namespaces/default/events/e',
  '/apis/events.k8s.io/v1/namespaces/default/events',
  '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l',
  '/api/v1/namespaces/default/configmaps',
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  '/apis/authentication.k8s.io/v1/selfsubjectreviews',
  '/api/v1/namespaces/x',
  '/apis',
  '/openapi/v3/api/v1',
  '//',
  '',
];

const queries = [
  '',
  '?limit=1&continue=eyJydiI6MX0',
  '?resourceVersion=-1',
  '?resourceVersion=1&resourceVersionMatch=Exact',
  '?labelSelector=a in (b',
  '?labelSelector=,,!',
  '?fieldSelector=metadata.name',
  '?dryRun=All&fieldValidation=Strict',
  '?fieldValidation=Odd',
  '?watch=1&timeoutSeconds=1&sendInitialEvents=maybe',
];

const types = ['', 'json-patch+', 'merge-patch+', 'strategic-merge-patch+'];

/** Objects that are nearly right go further than those that are all wrong. */
const nearly = fc.record({
  metadata: fc.record(
    { name: fc.constantFrom('n', 'e', 'l', 'x'), labels: fc.jsonValue() },
    { requiredKeys: ['name'] },
  ),
  spec: fc.jsonValue({ maxDepth: 2 }),
  status: fc.record({
    addresses: fc.jsonValue({ maxDepth: 2 }),
    conditions: fc.jsonValue({ maxDepth: 2 }),
  }),
});

const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'test', 'copy', 'move', 'odd'),
  path: fc.constantFrom(
    '',
    '/',
    '/spec',
    '/spec/taints/0',
    '/metadata/labels/a',
    '/metadata',
    '/status/addresses/-',
  ),
  from: fc.constantFrom('', '/spec', '/metadata/name'),
  value: fc.jsonValue({ maxDepth: 2 }),
});

const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'ODD'),
  path: fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom(...queries))
    .map((parts) => parts.join('')),
  contentType: fc.constantFrom(...types.map((type) => `application/${type}json`)),
  body: fc.oneof(
    nearly.map((value) => JSON.stringify(value)),
    fc.array(operation, { maxLength: 3 }).map((value) => JSON.stringify(value)),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    fc.string(),
  ),
});

describe('odd requests to the embedded cluster', () => {
  it('are all answered, with valid JSON where the answer says so, and leave objects that can be listed', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 8 }), (requests) => {
        const { cluster } = aCluster();
        const answerTo = (
          method: string,
          path: string,
          rest: { contentType?: string; body?: string } = {},
        ) =>
          cluster.answer({
            method,
            path,
            headers: { 'content-type': rest.contentType },
            body: rest.body ?? '',
            user: admin,
            signal: AbortSignal.abort(new Error('no watch is read here')),
            hasStreamingList: true,
          });
        for (const { method, path, ...rest } of requests) {
          const { status, headers, body } = answerTo(method, path, rest);
          assert.ok(status >= 200 && status < 600);
          const isJson = headers['content-type']?.startsWith('application/json') === true;
          if (isJson && typeof body === 'string') JSON.parse(body);
        }
        for (const path of ['/api/v1/nodes', '/api/v1/events', '/api/v1/configmaps']) {
          assert.equal(answerTo('GET', path).status, 200);
        }
      }),
      { numRuns: 60 },
    );
  });
});
