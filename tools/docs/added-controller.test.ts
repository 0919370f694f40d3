/** What the pages and manifests have of a controller that is added to the list, and to nothing else. */
import assert from 'node:assert/strict';
import { controllers } from '@tandem/manager/controllers';
import { parseAllDocuments } from 'yaml';
import { stackLabel } from '../../test/support/example-controller/index.ts';
import { eventGroupsOf } from './events-page.ts';
import { controllerMetricGroups } from './metric-groups.ts';
import { renderRbac } from '../chart/rbac-template.ts';

const declarations = [...controllers, stackLabel];

interface ManifestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly object[];
  readonly subjects?: readonly { readonly name: string }[];
}

const objectsIn = (text: string): ManifestObject[] =>
  parseAllDocuments(text).map((document) => document.toJS());

/** The template as it is with every controller on, in one of its two modes. */
function rbacWith(accounts: 'own identity' | 'accounts'): string {
  const [withAccounts = '', withOne = ''] = renderRbac(declarations).split('{{- else }}');
  return (accounts === 'accounts' ? withAccounts : withOne)
    .replaceAll(/\{\{- \/\*.*?\*\/ -\}\}/gs, '')
    .replaceAll(/^ *(?:labels: )?\{\{-.*\n/gm, '')
    .replaceAll(/^ {2}annotations:\n/gm, '')
    .replaceAll(/\{\{ .*? \}\}/g, 'value');
}

describe('a controller that is added to the list', () => {
  it('has a rule in the RBAC of the manager, with a comment that says what for', () => {
    const text = rbacWith('own identity');
    assert.match(
      text,
      /# stack-label-controller: the label\.\n {2}- apiGroups: \[''\]\n {4}resources: \[nodes\]/,
    );
    assert.ok(objectsIn(text).every(({ metadata }) => !metadata.name.includes('stack-label')));
  });

  it('has a service account, a role and bindings of its own, and the manager may get its tokens', () => {
    const objects = objectsIn(rbacWith('accounts'));
    const named = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name);
    const own = 'tandem:controller:stack-label-controller';
    assert.ok(named('ServiceAccount', 'stack-label-controller'));
    assert.deepEqual(named('ClusterRole', own)?.rules, [
      { apiGroups: [''], resources: ['nodes'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    ]);
    for (const kind of ['ClusterRoleBinding', 'RoleBinding']) {
      assert.deepEqual(named(kind, own)?.subjects, [
        { kind: 'ServiceAccount', name: 'stack-label-controller', namespace: 'kube-system' },
      ]);
    }
    const tokens = named('Role', 'tandem:cloud-controller-manager:controller-account');
    assert.deepEqual(
      tokens?.rules,
      ['node-controller', 'route-controller', 'stack-label-controller'].map((name) => ({
        apiGroups: [''],
        resources: ['serviceaccounts/token'],
        resourceNames: [name],
        verbs: ['create'],
      })),
    );
    const names = objects.map(({ kind, metadata }) => `${kind} ${JSON.stringify(metadata)}`);
    assert.equal(new Set(names).size, names.length, 'an object is there twice');
  });

  it('has its metrics and its events in the reference pages', () => {
    const metrics = controllerMetricGroups(declarations).at(-1);
    assert.equal(metrics?.title, 'stack-label-controller');
    assert.deepEqual(
      metrics.metrics.map(({ name }) => name),
      ['stack_labels_total'],
    );
    const events = eventGroupsOf(declarations).at(-1);
    assert.equal(events?.controller, 'stack-label-controller');
    assert.deepEqual(
      events.events.map(({ reason }) => reason),
      ['StackLabelled', 'StackLabelRefused'],
    );
  });
});
