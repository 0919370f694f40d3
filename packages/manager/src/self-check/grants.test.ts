import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TransportRequest } from '@tandem/kube/transport';
import { parseAllDocuments } from 'yaml';
import { AppWorld, settingsOf } from '../app/app-world.fixture.ts';
import { accountManifest } from '../controller-account/index.ts';
import { authenticationPermissions, authorizationPermissions } from './delegated-permissions.ts';
import { type Grant, grants, manifestPath } from './grants.ts';
import { neededPermissions, type Permission } from './permissions.ts';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

interface ManifestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly name: string };
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const objectsIn = (path: string): ManifestObject[] =>
  parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => document.toJS());
const manifest = objectsIn(manifestPath);

describe('the table of permissions', () => {
  it('has every rule of the shipped manifest, and no other', () => {
    const shipped = manifest.flatMap(({ kind, metadata, rules = [] }) =>
      rules.map((rule) => ({ role: { kind, ...metadata }, rule })),
    );
    assert.deepEqual(grants.map(ruleOf), shipped);
  });

  it('names a role and a rule of the manifest in every permission', () => {
    const { metadata } = manifest.find(({ kind }) => kind === 'ClusterRole') ?? {};
    for (const { role, rule } of neededPermissions(settingsOf([]))) {
      assert.ok(role.includes(metadata?.name ?? '?'), role);
      const [document] = parseAllDocuments(rule);
      const parsed: Rule = document?.toJS();
      const all = manifest.flatMap(({ rules = [] }) => rules);
      assert.ok(
        all.some((shipped) => isDeepStrictEqual(shipped, parsed)),
        rule,
      );
    }
  });

  it('names bindings of the shipped manifests, each with the role that it binds', () => {
    const bindings = [...manifest, ...objectsIn(accountManifest)].flatMap(bindingIn);
    const own = neededPermissions(settingsOf([]));
    const withAccount = neededPermissions(settingsOf(['--use-service-account-credentials']));
    const { authentication } = settingsOf([]).serving;
    const served = [...authenticationPermissions(authentication), ...authorizationPermissions()];
    for (const { role, binding, manifest: file } of [...own, ...withAccount, ...served]) {
      assert.ok(
        bindings.some((each) => each.binding === binding && role.endsWith(each.role)),
        `${binding} of ${role}`,
      );
      assert.ok(
        objectsIn(file)
          .flatMap(bindingIn)
          .some((each) => each.binding === binding),
        binding,
      );
    }
    assert.equal(
      new Set([...own, ...withAccount, ...served].map(({ binding }) => binding)).size,
      8,
    );
  });

  it('needs each verb of the table somewhere', () => {
    const given = grants.flatMap(({ needs }) => needs).length;
    assert.equal(neededPermissions(settingsOf([])).length, given);
  });

  for (const args of [[], ['--dry-run'], ['--leader-elect=false'], ['--controllers=cloud-node']]) {
    it(`has what a manager with ${args.join(' ') || 'no flags'} asks the API server for`, async () => {
      const asked = await requestsOf(args);
      const needed = neededPermissions(settingsOf(args)).map(describePermission);
      assert.deepEqual(
        asked.filter((right) => !needed.includes(right)),
        [],
      );
      assert.ok(asked.includes('watch nodes'));
    });
  }
});

function bindingIn({
  kind,
  metadata,
  roleRef,
}: ManifestObject): { binding: string; role: string }[] {
  if (roleRef === undefined) return [];
  const { namespace, name } = metadata;
  const full = namespace === undefined ? name : `${namespace}/${name}`;
  return [{ binding: `${kind} ${full}`, role: roleRef.name }];
}

function ruleOf({ role, group, resource, isForLease, needs }: Grant): unknown {
  const resourceNames = isForLease ? { resourceNames: ['cloud-controller-manager'] } : {};
  const verbs = needs.map(({ verb }) => verb);
  return { role, rule: { apiGroups: [group], resources: [resource], ...resourceNames, verbs } };
}

/** What a manager does for a while where nodes come and go, and one is refused. */
async function requestsOf(args: readonly string[]): Promise<string[]> {
  const world = new AppWorld();
  world.addMachine('node-1');
  world.addMachine('node-2');
  world.model.store.put('nodes', 'stranger', {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name: 'stranger', uid: 'uid-stranger', creationTimestamp: '2026-03-01T11:00:00Z' },
    spec: { providerID: 'other://1' },
    status: {},
  });
  const asked = new Set<string>();
  const app = world.start('a', {
    args,
    wrap: (transport) => ({
      send(request) {
        asked.add(rightOf(request));
        return transport.send(request);
      },
      close: () => transport.close(),
    }),
  });
  await world.clock.advance(60_000);
  await app.stop();
  return [...asked];
}

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

function rightOf({ method, path }: TransportRequest): string {
  const url = new URL(path, 'https://model');
  const match =
    /^\/(?:api|apis\/(?<group>[^/]+))\/v1(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<part>[^/]+))?)?$/.exec(
      url.pathname,
    );
  const { group = '', namespace, resource = '', name, part } = match?.groups ?? {};
  const read = url.searchParams.has('watch') ? 'watch' : name === undefined ? 'list' : 'get';
  const verb = method === 'GET' ? read : verbs[method];
  const full = part === undefined ? resource : `${resource}/${part}`;
  return describePermission({ verb, group, resource: full, namespace });
}

function describePermission(
  permission: Pick<Permission, 'group' | 'resource' | 'namespace'> & { readonly verb: string },
): string {
  const { verb, group, resource, namespace } = permission;
  const full = group === '' ? resource : `${resource}.${group}`;
  return `${verb} ${full}${namespace === undefined ? '' : ` in ${namespace}`}`;
}
