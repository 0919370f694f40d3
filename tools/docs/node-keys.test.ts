import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyGroups } from './node-keys.ts';

const root = join(import.meta.dirname, '..', '..');
const documented = keyGroups.flatMap(({ keys }) => keys);

/** Of watches, of the instances of EC2, and the groups of APIs: on no Node and no Lease. */
const elsewhere =
  /^(?:k8s\.io\/initial-events-end|kubernetes\.io\/cluster\/|tandem\.dev\/|.*\/(?:v\d\w*|exec))$/;

describe('the page of annotations, labels and taints', () => {
  it('has every key that is in the sources', () => {
    const files = globSync(
      '{packages/{core,kube,controllers},providers/{static,aws,azure}}/src/**/*.ts',
      {
        cwd: root,
      },
    ).filter((path) => !/\.(?:test|fixture)\.ts$|\/exam\//.test(path));
    const inSources = files.flatMap((path) =>
      Array.from(
        readFileSync(join(root, path), 'utf8').matchAll(keyPattern),
        ([, key = '']) => key,
      ),
    );
    const known = documented.map(({ key }) => key);
    const missing = inSources.filter((key) => !elsewhere.test(key) && !known.includes(key));
    assert.ok(inSources.length > 15, 'keys were found');
    assert.deepEqual(missing, []);
  });

  it('explains each key once, and none that the sources do not have', () => {
    const keys = documented.map(({ key }) => key);
    assert.equal(new Set(keys).size, keys.length);
    assert.ok(documented.every(({ meaning }) => meaning !== ''));
    const sources = globSync('{packages,providers}/*/src/**/*.ts', { cwd: root })
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    assert.deepEqual(
      keys.filter((key) => !sources.includes(`'${key}'`)),
      [],
    );
  });
});

/** A literal of a key with a prefix that is a domain of Kubernetes, a cloud, Karpenter or ours. */
const keyPattern =
  /'((?:[\w.-]+\.)?(?:kubernetes\.io|k8s\.io|k8s\.aws|azure\.com|karpenter\.sh|tandem\.dev)\/[\w./-]*)'/g;
