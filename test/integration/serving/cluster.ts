/**
 * A real API server for tests of the secure port: with an authority for proxies, roles for reviewers, users and service
 * accounts.
 */
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@tandem/runtime';
import {
  type ControlPlane,
  createAuthority,
  privateControlPlane,
  requestOk,
} from '../../control-plane/index.ts';

export const proxyAuthority: ReturnType<typeof createAuthority> = createAuthority(
  'front proxies',
  systemClock.now(),
);
export const proxyName = 'front-proxy-client';

/** Starts one, and keeps the file of its proxy authority while the suite runs. */
export async function clusterWithProxies(context: Mocha.Context): Promise<ControlPlane> {
  const directory = await mkdtemp(join(tmpdir(), 'tandem-proxies-'));
  context.runnable().parent?.afterAll(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'proxies.crt');
  await writeFile(path, proxyAuthority.cert);
  return privateControlPlane(context, {
    extraArgs: [
      `--requestheader-client-ca-file=${path}`,
      `--requestheader-allowed-names=${proxyName}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ],
  });
}

/** The fields of a created object that tests read. */
interface Created {
  readonly metadata: { readonly uid: string };
  readonly status: { readonly token: string };
}

export async function create(plane: ControlPlane, path: string, body: unknown): Promise<Created> {
  return JSON.parse((await requestOk(plane.admin, { method: 'POST', path, body })).text);
}

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const apiGroup = 'rbac.authorization.k8s.io';

interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
}

function subjectOf({ kind, name }: Subject): object {
  return kind === 'ServiceAccount'
    ? { kind, name, namespace: 'default' }
    : { apiGroup, kind, name };
}

export async function bindClusterRole(
  plane: ControlPlane,
  role: string,
  subject: Subject,
): Promise<void> {
  await create(plane, `${rbac}/clusterrolebindings`, {
    metadata: { generateName: 'serving-' },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [subjectOf(subject)],
  });
}

/** Creates the bindings of upstream's documentation for a manager that requests reviews. */
export async function letAskForReviews(plane: ControlPlane, user: string): Promise<void> {
  await bindClusterRole(plane, 'system:auth-delegator', { kind: 'User', name: user });
  await create(plane, `${rbac}/namespaces/kube-system/rolebindings`, {
    metadata: { generateName: 'serving-' },
    roleRef: { apiGroup, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
    subjects: [subjectOf({ kind: 'User', name: user })],
  });
}

/** Creates the role of upstream's documentation for scrapers. */
export async function createMetricsRole(plane: ControlPlane): Promise<string> {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
  await create(plane, `${rbac}/clusterroles`, { metadata: { name: 'metrics-reader' }, rules });
  return 'metrics-reader';
}

export interface ServiceAccount {
  readonly name: string;
  readonly uid: string;
}

const accounts = '/api/v1/namespaces/default/serviceaccounts';

export async function createAccount(plane: ControlPlane, name: string): Promise<ServiceAccount> {
  const { metadata } = await create(plane, accounts, { metadata: { name } });
  return { name, uid: metadata.uid };
}

export async function tokenFor(
  plane: ControlPlane,
  { name }: ServiceAccount,
  audiences?: readonly string[],
): Promise<string> {
  const spec = audiences === undefined ? {} : { audiences };
  const { status } = await create(plane, `${accounts}/${name}/token`, { spec });
  return status.token;
}

/** A token with the given validity, signed with the API server's own key. */
export async function signedToken(
  plane: ControlPlane,
  { name, uid }: ServiceAccount,
  validity: { readonly fromMs: number; readonly untilMs: number },
): Promise<string> {
  const pem = await readFile(join(plane.directory, 'certificates', 'service-accounts.key'), 'utf8');
  const key = createPrivateKey(pem);
  const issued = await tokenFor(plane, { name, uid });
  const [head = '', payload = ''] = issued.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  const seconds = (ms: number): number => Math.floor(ms / 1_000);
  const changed = {
    ...claims,
    iat: seconds(validity.fromMs),
    nbf: seconds(validity.fromMs),
    exp: seconds(validity.untilMs),
    jti: createHash('md5').update(String(validity.untilMs)).digest('hex'),
  };
  const body = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
  return `${body}.${signature.toString('base64url')}`;
}
