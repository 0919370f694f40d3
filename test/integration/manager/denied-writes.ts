/**
 * An admission policy that denies the manager's account the writes to a node which its rights allow.
 */
import { request } from '../../control-plane/index.ts';
import type { Scenario } from './scenario.ts';

interface DeniedWrites {
  readonly node: string;
  readonly reason: 'Forbidden' | 'Invalid';
  /** The message of the refusal. */
  readonly message: string;
}

/** Denies updates of a node. Returns a function that allows them again. */
export async function denyWrites(
  scenario: Scenario,
  denied: DeniedWrites,
): Promise<() => Promise<void>> {
  const lift = await createPolicy(scenario, denied);
  await untilDenied(scenario, denied.node);
  return lift;
}

const account = 'system:serviceaccount:kube-system:cloud-controller-manager';

const admission = '/apis/admissionregistration.k8s.io/v1';

async function createPolicy(
  scenario: Scenario,
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
  await scenario.ask({
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
  await scenario.ask({
    method: 'POST',
    path: `${admission}/validatingadmissionpolicybindings`,
    body: { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } },
  });
  return async () => {
    for (const kind of ['validatingadmissionpolicybindings', 'validatingadmissionpolicies']) {
      await scenario.ask({ method: 'DELETE', path: `${admission}/${kind}/${name}` });
    }
  };
}

/** A policy takes effect a moment after its creation; a dry run with the manager's rights shows when. */
async function untilDenied(scenario: Scenario, node: string): Promise<void> {
  await scenario.until(async () => {
    const answer = await request(scenario.managerCredentials, {
      method: 'PATCH',
      path: `/api/v1/nodes/${node}?dryRun=All`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { tried: 'true' } } },
    });
    return answer.status !== 200;
  });
}
