/**
 * Every YAML file on the pages has a reader. The files of k3s and Talos are held against the fields that these programs
 * have, because neither program can be built here: k3s by the flags of `pkg/cli/cmds/server.go` and `agent.go` in
 * k3s-io/k3s, which are the keys of its file, and Talos by `pkg/machinery/config/types/v1alpha1/v1alpha1_types.go` in
 * siderolabs/talos. kubeadm reads its own files in `test/integration/guides`.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { fences } from './read-guide.ts';

const root = join(import.meta.dirname, '../../..');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const yamlOf = (page: string): string[] =>
  [...fences(read(page))].filter(({ language }) => language === 'yaml').map(({ body }) => body);

const knownFields: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/k3s.md': ['disable-cloud-controller', 'kubelet-arg', 'cluster-cidr', 'service-cidr'],
  'docs/guides/talos.md': [
    'cluster.externalCloudProvider.enabled',
    'cluster.network.podSubnets',
    'cluster.network.serviceSubnets',
    'machine.kubelet.nodeIP.validSubnets',
  ],
};

/** Who reads an object of this kind, or a file that is no object. */
const readers: Readonly<Record<string, string>> = {
  ManagerConfiguration: 'tools/docs/written-pages.test.ts',
  StaticInventory: 'tools/docs/written-pages.test.ts',
  ClusterRole: 'tools/chart/rendered.test.ts',
  Role: 'tools/chart/rendered.test.ts',
  InitConfiguration: 'test/integration/guides/guides.test.ts',
  ClusterConfiguration: 'test/integration/guides/guides.test.ts',
  JoinConfiguration: 'test/integration/guides/guides.test.ts',
};

describe('the YAML of the pages', () => {
  for (const [page, known] of Object.entries(knownFields)) {
    it(`has only fields that the program of ${page} has`, () => {
      const files = yamlOf(page).map((text) => parseAllDocuments(text)[0]?.toJS());
      const theirs = files.filter((file) => file.kind === undefined);
      assert.ok(theirs.length >= 2, 'files were found');
      assert.deepEqual(new Set(theirs.flatMap((file) => leaves(file))), new Set(known));
    });
  }

  it('is of kinds that a test reads', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'manifests/**/*.md'], { cwd: root });
    const kinds = pages
      .flatMap(yamlOf)
      .filter((text) => !text.includes('…'))
      .flatMap((text) => parseAllDocuments(text).map((each) => each.toJS()?.kind))
      .filter((kind) => kind !== undefined);
    assert.ok(kinds.length > 10, `only ${kinds.length} objects were found`);
    assert.deepEqual(
      kinds.filter((kind) => readers[kind] === undefined),
      [],
    );
  });

  it('without a kind is a part of a file, on pages that are known', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'manifests/**/*.md'], { cwd: root });
    const parts = pages.filter(
      (page) =>
        knownFields[page] === undefined &&
        yamlOf(page).some((text) =>
          parseAllDocuments(text).some((each) => each.toJS()?.kind === undefined),
        ),
    );
    assert.deepEqual(parts.toSorted(), partsOfFiles);
  });
});

/** Pages with a part of a values file or of an inventory. */
const partsOfFiles: readonly string[] = [
  'docs/guides/routes.md',
  'docs/guides/run-the-manager.md',
  'manifests/chart/README.md',
];

/** The paths of all values, such as `cluster.network.podSubnets`. A list is a value. */
function leaves(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}
