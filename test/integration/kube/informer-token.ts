/**
 * Informers whose token is replaced while they follow a real API server, which then refuses the old token: they read
 * the new one immediately and miss no change.
 */
import { type ControlPlane, eventually, request, requestOk } from '../../control-plane/index.ts';
import { bindClusterRole, create, createAccount, tokenFor } from '../serving/cluster.ts';
import { aKubeconfig, base64, createFiles } from './client-files.ts';
import { createNode, followNodes, labelNode, userAgent } from './node-followers.ts';

const account = 'informer';
const accounts = '/api/v1/namespaces/default/serviceaccounts';

/** Takes as long as the server caches an accepted token, and needs nothing else meanwhile. */
export async function assertTokenRotates(controlPlane: ControlPlane): Promise<void> {
  const { server, ca } = controlPlane.admin;
  await using files = await createFiles();
  await letReadNodes(controlPlane);
  await createNode(controlPlane, 'token-a');
  const first = await issueToken(controlPlane);
  await files.write('token', first);
  const cluster = { server, 'certificate-authority-data': base64(ca) };
  const kubeconfig = await files.write('config', aKubeconfig(cluster, { tokenFile: 'token' }));
  const nodes = await followNodes(controlPlane, {}, kubeconfig);
  try {
    await nodes.untilEqual();
    // An account that is created again has another UID, so that the old tokens are void.
    await requestOk(controlPlane.admin, { method: 'DELETE', path: `${accounts}/${account}` });
    const second = await issueToken(controlPlane);
    await eventually(
      async () =>
        (await request({ server, ca, token: first }, { path: '/api/v1/nodes' })).status === 401,
      { withinMs: 45_000 },
    );
    await nodes.cut('is refused');
    await createNode(controlPlane, 'token-b');
    await labelNode(controlPlane, 'token-a', 'while-cut');
    nodes.mend();
    await eventually(async () => (await refusedOf(controlPlane)) >= nodes.followers.length);
    await files.write('token', second);
    await nodes.untilEqual();
    await labelNode(controlPlane, 'token-b', 'after');
    await nodes.untilEqual();
  } finally {
    await nodes.stop();
  }
}

async function letReadNodes(controlPlane: ControlPlane): Promise<void> {
  const name = 'informer-test';
  const rules = [{ apiGroups: [''], resources: ['nodes'], verbs: ['list', 'watch'] }];
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
  await create(controlPlane, path, { metadata: { name }, rules });
  await bindClusterRole(controlPlane, name, { kind: 'ServiceAccount', name: account });
}

/** Creates the account and a token for it. */
async function issueToken(controlPlane: ControlPlane): Promise<string> {
  return tokenFor(controlPlane, await createAccount(controlPlane, account));
}

/** How often the server refused the token of the informers. */
async function refusedOf(controlPlane: ControlPlane): Promise<number> {
  const entries = await controlPlane.audited();
  return entries.filter(
    (entry) => entry.userAgent === userAgent && entry.responseStatus?.code === 401,
  ).length;
}
