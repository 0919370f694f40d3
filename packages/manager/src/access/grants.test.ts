/** Compares the declared grants with the permissions that the parts of the manager really use. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { settingsOf } from '../app/app-world.fixture.ts';
import { type ControllerDeclaration, controllers } from '../controllers/index.ts';
import {
  authenticationPermissions,
  authorizationPermissions,
} from '../self-check/delegated-permissions.ts';
import { neededPermissions } from '../self-check/permissions.ts';
import type { Grant, Verb } from './grant.ts';
import { accountsManifest, ownManifest } from './roles.ts';
import { verbsOf } from './roles.ts';
import { allocating, tellStory, type UsedRight } from './story.fixture.ts';

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
  readonly subjects?: readonly { readonly name: string }[];
}

const root = join(import.meta.dirname, '..', '..', '..', '..');
const objectsIn = (path: string): ManifestObject[] =>
  parseAllDocuments(readFileSync(join(root, path), 'utf8')).map((document) => document.toJS());

/** Half an hour and a margin. */
const halfHourMs = 35 * 60_000;

/** Returns a text such as `node-controller: patch nodes`. */
function describeRight({ account, verb, group, resource, namespace }: UsedRight): string {
  const full = group === '' ? resource : `${resource}.${group}`;
  const place = namespace === undefined ? '' : ` in ${namespace}`;
  return `${account ?? 'cloud-controller-manager'}: ${verb} ${full}${place}`;
}

/** Returns the permissions that the bindings of a manifest give to each subject. */
function rightsIn(objects: readonly ManifestObject[]): string[] {
  return objects
    .flatMap(({ kind, metadata, roleRef, subjects = [] }) => {
      const role = objects.find(
        (object) =>
          object.metadata.name === roleRef?.name && object.kind === kind.replace('Binding', ''),
      );
      const { namespace } = metadata;
      return subjects.flatMap(({ name }) =>
        (role?.rules ?? []).flatMap(
          ({ apiGroups: [group = ''], resources: [resource = ''], verbs }) =>
            verbs.map((verb) => describeRight({ account: name, verb, group, resource, namespace })),
        ),
      );
    })
    .toSorted();
}

const usedIn = (used: readonly UsedRight[]): string[] =>
  [...new Set(used.map(describeRight))].toSorted();

/** Runs one controller alone and without an election, so that nothing else uses its permissions. */
async function ownStory({ alias }: ControllerDeclaration): Promise<UsedRight[]> {
  const args = [`--controllers=${alias}`, '--leader-elect=false'];
  const used = await tellStory({ args, hasAccounts: true });
  const isShared = ({ account, resource }: UsedRight): boolean =>
    resource === 'events' || (account === undefined && resource === 'nodes');
  return used.filter((right) => !isShared(right));
}

type Declared = Pick<ControllerDeclaration, 'name' | 'serviceAccount' | 'grants'>;

/** Returns each used permission that the declaration lacks, and each declared one that was not used. */
function problemsOf(
  { name, serviceAccount, grants }: Declared,
  used: readonly UsedRight[],
): string[] {
  const declared = grants.flatMap((grant) => {
    const isOnLease = grant.scope === 'lease';
    const account = isOnLease ? undefined : serviceAccount;
    const namespace = isOnLease ? 'kube-system' : undefined;
    return verbsOf(grant).map((verb) => describeRight({ ...grant, account, namespace, verb }));
  });
  const needed = usedIn(used);
  return [
    ...needed
      .filter((right) => !declared.includes(right))
      .map((right) => `${name} does not declare ${right}`),
    ...declared
      .filter((right) => !needed.includes(right))
      .map((right) => `${name} declares ${right} and never uses it`),
  ];
}

describe('the grants of a controller', () => {
  for (const declaration of controllers) {
    describe(declaration.name, () => {
      let used: UsedRight[] = [];
      before(async () => {
        used = await ownStory(declaration);
      });

      it('are exactly the permissions that it uses', () => {
        assert.deepEqual(problemsOf(declaration, used), []);
      });

      for (const grant of declaration.grants) {
        for (const verb of verbsOf(grant)) {
          it(`are incomplete without ${verb} ${grant.resource} for ${grant.purpose}`, () => {
            const without = problemsOf(
              { ...declaration, grants: withoutVerb(declaration.grants, grant, verb) },
              used,
            );
            assert.equal(without.length, 1, without.join('\n'));
            assert.match(
              without[0] ?? '',
              new RegExp(`^${declaration.name} does not declare .*: ${verb} ${grant.resource}`),
            );
          });
        }
      }
    });
  }
});

function withoutVerb(grants: readonly Grant[], from: Grant, verb: Verb): Grant[] {
  return grants.map((grant) => {
    if (grant !== from) return grant;
    const { [verb]: _, ...verbs } = grant.verbs;
    return { ...grant, verbs };
  });
}

describe('the shipped manifests', () => {
  const modes = [
    { name: 'a manager with one identity', path: ownManifest, hasAccounts: false },
    { name: 'controllers with their own accounts', path: accountsManifest, hasAccounts: true },
  ];
  for (const { name, path, hasAccounts } of modes) {
    it(`give ${name} exactly the permissions in use`, async () => {
      const given = rightsIn(objectsIn(path)).filter((right) => !right.includes('/token'));
      const used = usedIn(await tellStory({ hasAccounts }, halfHourMs));
      assert.deepEqual(used, given);
    });

    it(`have the roles, rules and bindings that the self-check names for ${path}`, () => {
      const args = hasAccounts ? ['--use-service-account-credentials'] : [];
      const settings = settingsOf([...allocating, ...args]);
      const objects = objectsIn(path);
      const rules = objects.flatMap((object) => object.rules ?? []);
      const needed = neededPermissions(settings);
      assert.ok(needed.length > 10);
      for (const { rule, manifest } of needed) {
        const [document] = parseAllDocuments(rule);
        assert.ok(
          rules.some((shipped) => isDeepStrictEqual(shipped, document?.toJS())),
          rule,
        );
        assert.equal(manifest, path);
      }
      const bindings = objects.flatMap(bindingIn);
      const { authentication } = settings.serving;
      const served = [
        ...authenticationPermissions(authentication, path),
        ...authorizationPermissions(path),
      ];
      const named = new Set<string>();
      for (const { role, binding } of [...needed, ...served]) {
        assert.ok(
          bindings.some((each) => each.binding === binding && role.endsWith(each.role)),
          `${binding} of ${role}`,
        );
        named.add(binding);
      }
      assert.deepEqual([...named].toSorted(), bindings.map(({ binding }) => binding).toSorted());
    });
  }

  it('let only the controllers write nodes when they have their own accounts', () => {
    const own = rightsIn(objectsIn(accountsManifest)).filter(
      (right) => right.startsWith('cloud-controller-manager: ') && right.includes(' nodes'),
    );
    assert.deepEqual(own, [
      'cloud-controller-manager: list nodes',
      'cloud-controller-manager: watch nodes',
    ]);
  });
});

describe('the permissions that a manager needs', () => {
  const ways = [
    [],
    ['--dry-run'],
    ['--leader-elect=false'],
    ...controllers.map(({ alias }) => [`--controllers=${alias}`]),
    ['--node-deletion-brake=off'],
  ];
  for (const args of ways) {
    for (const hasAccounts of [false, true]) {
      const identity = hasAccounts ? 'accounts' : 'one identity';
      it(`with ${args.join(' ') || 'no flags'} and ${identity} include all that it uses`, async () => {
        const more = hasAccounts ? ['--use-service-account-credentials'] : [];
        const needed = neededPermissions(settingsOf([...allocating, ...args, ...more])).map(
          (permission) =>
            describeRight({ ...permission, account: permission.account?.split('/')[1] }),
        );
        const used = usedIn(await tellStory({ args, hasAccounts }));
        assert.deepEqual(
          used.filter((right) => !needed.includes(right)),
          [],
        );
        assert.ok(used.includes('cloud-controller-manager: watch nodes'));
      });
    }
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
