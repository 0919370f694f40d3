/**
 * Every YAML file on the pages has a reader. k3s cannot be built here, so its files are held against the flags of
 * `pkg/cli/cmds/server.go` and `agent.go` in k3s-io/k3s, which are the keys of its file, and their networks against the
 * limits of Kubernetes. kubeadm and Talos's own packages read their files in `test/integration/guides`.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cidr, parseCidr } from '@tandem/core/ip';
import { parseCommandLine } from '@tandem/manager/flags';
import { parse, parseAllDocuments } from 'yaml';
import { fences } from './read-guide.ts';

const root = join(import.meta.dirname, '../../..');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');
const yamlOf = (page: string): string[] =>
  [...fences(read(page))].filter(({ language }) => language === 'yaml').map(({ body }) => body);

const k3s = 'docs/guides/k3s.md';
const talos = 'docs/guides/talos.md';

/** The keys that the guide may use, by the command whose file it is: an agent ends at its start on a key of servers. */
const k3sKeys: Readonly<Record<string, readonly string[]>> = {
  server: ['disable-cloud-controller', 'kubelet-arg', 'cluster-cidr', 'service-cidr'],
  agent: ['kubelet-arg'],
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
  it('for k3s has keys that its servers and its agents have, with values of their kinds', () => {
    const found = yamlOf(k3s).flatMap((text) => {
      const [, role] = /^# \S+ of every (\w+)$/m.exec(text) ?? [];
      return role === undefined ? [] : [{ role, file: parse(text) }];
    });
    assert.deepEqual(
      found.map(({ role }) => role),
      ['server', 'agent'],
    );
    for (const { role, file } of found) {
      assert.deepEqual(Object.keys(file).toSorted(), k3sKeys[role]?.toSorted(), role);
      assert.deepEqual(file['kubelet-arg'], ['cloud-provider=external'], role);
    }
    const [server] = found;
    assert.equal(server?.file['disable-cloud-controller'], true);
    // One range of each family, IPv4 first. Kubernetes takes at most 20 bits of Services.
    const pods = pairOf(server?.file['cluster-cidr']);
    const services = pairOf(server?.file['service-cidr']);
    assert.ok(pods[1].prefixLength <= 64 && pods[1].prefixLength >= 48, 'k3s gives nodes a /64');
    assert.ok(services[1].prefixLength >= 108 && services[0].prefixLength >= 12);
  });

  for (const page of [k3s, talos]) {
    it(`comes with commands of the manager that it takes, on ${page}`, () => {
      const commands = [...read(page).matchAll(/`cloud-controller-manager (.*?)`/gs)];
      assert.equal(commands.length, 1);
      for (const [, args = ''] of commands) {
        const parsed = parseCommandLine(args.split(/\s+/));
        assert.ok(parsed.kind === 'run');
        assert.deepEqual(parsed.problems, []);
      }
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
        page !== k3s &&
        page !== talos &&
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

/** An IPv4 and an IPv6 network, as a flag has them. */
function pairOf(text: unknown): readonly [Cidr, Cidr] {
  const [first, second, ...more] = String(text).split(',').map(parseCidr);
  assert.ok(first?.kind === 'cidr' && second?.kind === 'cidr' && more.length === 0, String(text));
  assert.deepEqual([first.cidr.network.family, second.cidr.network.family], ['IPv4', 'IPv6']);
  return [first.cidr, second.cidr];
}
