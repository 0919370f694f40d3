/** The rendered manifests against the OpenAPI documents of three minors of Kubernetes. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Minor, problemsOf } from '../../test/vectors/openapi/schema.ts';
import { renderedManifests } from './rendered.ts';

const root = join(import.meta.dirname, '..', '..');
const objects: object[] = renderedManifests.flatMap(({ path }) =>
  parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => document.toJS()),
);
const minors = ['v1.34', 'v1.35', 'v1.36'].map((name): Minor => {
  const file = join(root, 'test/vectors/openapi', `${name}.jsonl`);
  return JSON.parse(readFileSync(file, 'utf8'));
});

describe('the rendered manifests', () => {
  for (const minor of minors) {
    it(`fit Kubernetes ${minor.version}`, () => {
      const checked = objects.map((object) => problemsOf(object, minor));
      assert.deepEqual(
        checked.flatMap((problems) => problems ?? []),
        [],
      );
      const others = objects.filter((_, index) => checked[index] === undefined);
      // Those of the Prometheus operator are no kinds of Kubernetes.
      assert.deepEqual(
        others.map((object) => Reflect.get(object, 'apiVersion')),
        ['monitoring.coreos.com/v1', 'monitoring.coreos.com/v1'],
      );
      assert.ok(objects.length - others.length > 40);
    });
  }

  const container = { name: 'a', image: 'b' };
  const spec = { selector: {}, template: { spec: { containers: [container] } } };
  const cases = [
    {
      name: 'a field that is mistyped',
      change: { replica: 2 },
      want: '.spec.replica: is not known',
    },
    {
      name: 'a text for a number',
      change: { replicas: '2' },
      want: '.spec.replicas: "2" is no integer',
    },
    {
      name: 'a container without its name',
      change: { template: { spec: { containers: [{ image: 'b' }] } } },
      want: '.spec.template.spec.containers[0].name: is missing',
    },
  ];
  for (const { name, change, want } of cases) {
    it(`would not fit any minor with ${name}`, () => {
      const object = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { ...spec, ...change } };
      for (const minor of minors) assert.deepEqual(problemsOf(object, minor), [want]);
    });
  }
});
