/**
 * Something in the cluster that keeps the manager's account from writing to a node although its rights
 * allow it: an admission policy on the real API server, and a rule of the same effect on the embedded
 * one, which evaluates no policies.
 */
import { request } from '../../control-plane/index.ts';
import { EmbeddedControlPlane } from './embedded-control-plane.ts';
import type { AnyScene } from './scene.ts';

export interface DeniedWrites {
  readonly node: string;
  readonly reason: 'Forbidden' | 'Invalid';
  /** What whoever is refused gets to read. */
  readonly message: string;
}

/** Denies updates of a node, and gives what lets them pass again. */
export async function denyWrites(
  scene: AnyScene,
  denied: DeniedWrites,
): Promise<() => Promise<void>> {
  const { controlPlane } = scene;
  const lift =
    controlPlane instanceof EmbeddedControlPlane
      ? addRule(controlPlane, denied)
      : await createPolicy(scene, denied);
  await untilDenied(scene, denied.node);
  return lift;
}

const account = 'system:serviceaccount:kube-system:cloud-controller-manager';

function addRule(
  { model }: EmbeddedControlPlane,
  { node, reason, message }: DeniedWrites,
): () => Promise<void> {
  const remove = model.admit((user, { resource, name }) => {
    const isDenied = user.name === account && resource === 'nodes' && name === node;
    return isDenied ? { reason, message } : undefined;
  });
  return async () => remove();
}

const admission = '/apis/admissionregistration.k8s.io/v1';

async function createPolicy(
  scene: AnyScene,
  { node, reason, message }: DeniedWrites,
): Promise<() => Promise<void>> {
  const name = `deny-${node}`;
  const isOthers = `request.userInfo.username != '${account}'`;
  const matched = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['UPDATE'],
    resources: ['nodes', 'nodes/status'],
  };
  await scene.ask({
    method: 'POST',
    path: `${admission}/validatingadmissionpolicies`,
    body: {
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [matched] },
        validations: [{ expression: `${isOthers} || request.name != '${node}'`, message, reason }],
      },
    },
  });
  await scene.ask({
    method: 'POST',
    path: `${admission}/validatingadmissionpolicybindings`,
    body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
  });
  return async () => {
    for (const kind of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies']) {
      await scene.ask({ method: 'DELETE', path: `${admission}/${kind}/${name}` });
    }
  };
}

/** Policies count a moment after they are created; a dry run of the manager's own tells. */
async function untilDenied(scene: AnyScene, node: string): Promise<void> {
  await scene.until(async () => {
    const answer = await request(scene.managerCredentials, {
      method: 'PATCH',
      path: `/api/v1/nodes/${node}?dryRun=All`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { tried: 'true' } } },
    });
    return answer.status !== 200;
  });
}
