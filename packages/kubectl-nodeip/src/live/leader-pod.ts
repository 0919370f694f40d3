/**
 * Finds the pod of the leader from its Lease. The holder's identity begins with the host name of its process, which is
 * the name of the pod, or that of the node if the pod uses the host's network. The names of the host and of its node may
 * differ in their domain.
 */
import type { LeaseName } from '@tandem/kube/election';
import { age } from '../print/table.ts';
import type { Cluster } from './cluster.ts';
import { asList, asObject, textAt } from './fields.ts';

export type LeaderPod =
  | { readonly kind: 'pod'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'none'; readonly problem: string };

/** A leader renews its Lease every few seconds. The clock of the user may differ from the leader's. */
const abandonedMs = 2 * 60_000;

type Objects = Pick<Cluster, 'find' | 'list'>;

export async function findLeaderPod(
  cluster: Objects,
  lease: LeaseName,
  nowMs: number,
): Promise<LeaderPod> {
  const { namespace, name } = lease;
  const found = await cluster.find({
    group: 'coordination.k8s.io',
    version: 'v1',
    resource: 'leases',
    namespace,
    name,
  });
  if (found === undefined) {
    return none(
      `there is no Lease ${namespace}/${name}, so no manager has led yet. --lease NAMESPACE/NAME names another Lease`,
    );
  }
  const holder = textAt(found, 'spec', 'holderIdentity');
  if (holder === '') {
    return none(
      `no manager holds the Lease ${namespace}/${name}. Check that cloud-controller-manager runs`,
    );
  }
  const host = holder.replace(/_[^_]*$/, '');
  const pods = { group: '', version: 'v1', resource: 'pods', namespace } as const;
  if ((await cluster.find({ ...pods, name: host })) !== undefined) {
    return { kind: 'pod', namespace, name: host };
  }
  const managers = await managersOn(cluster, namespace, host);
  const [only, ...others] = managers;
  if (only === undefined) {
    const renewedMs = Date.parse(textAt(found, 'spec', 'renewTime'));
    if (nowMs - renewedMs > abandonedMs) {
      return none(
        `no manager leads: ${holder} renewed the Lease ${namespace}/${name} for the last time ${age(renewedMs, nowMs)} ago. Check that cloud-controller-manager runs`,
      );
    }
    return none(
      `the Lease ${namespace}/${name} is held by ${holder}, which is no pod of the namespace ${namespace}. If that manager runs outside the cluster, pass --manager https://HOST:PORT`,
    );
  }
  if (others.length > 0) {
    return none(
      `the Lease ${namespace}/${name} is held by ${holder}, and several pods could be it: ${managers.join(', ')}. Pass --manager https://HOST:PORT`,
    );
  }
  return { kind: 'pod', namespace, name: only };
}

/** Returns the managers on the node with the name of the host, or else on nodes whose names differ only in the domain. */
async function managersOn(
  cluster: Objects,
  namespace: string,
  host: string,
): Promise<readonly string[]> {
  const pods = { group: '', version: 'v1', resource: 'pods', namespace } as const;
  const onHost = await cluster.list(pods, { fieldSelector: `spec.nodeName=${host}` });
  const exact = onHost.filter(isManager);
  // A host may call itself host.example.com and its node host, or the other way round.
  const found =
    exact.length > 0
      ? exact
      : (await cluster.list(pods, {}))
          .filter(isManager)
          .filter((pod) => firstLabel(textAt(pod, 'spec', 'nodeName')) === firstLabel(host));
  return found.map((pod) => textAt(pod, 'metadata', 'name'));
}

function firstLabel(name: string): string {
  return name.replace(/\..*$/s, '').toLowerCase();
}

function isManager(pod: unknown): boolean {
  const spec = asObject(asObject(pod)['spec']);
  const containers = asList(spec['containers']);
  return (
    spec['hostNetwork'] === true &&
    containers.some((container) => textAt(container, 'name') === 'cloud-controller-manager')
  );
}

function none(problem: string): LeaderPod {
  return { kind: 'none', problem };
}
