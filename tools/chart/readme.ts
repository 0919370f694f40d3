/** `manifests/chart/README.md`: how to install, what to know, and every value. */
import { flowClaims } from './flow-schemas.ts';
import type { Schema } from './values/schema.ts';
import { type PushedImage, settable } from './values/values.ts';

export function renderReadme(pushed?: PushedImage): string {
  return `# The Tandem chart

<!-- Made by \`npm run docs\` from tools/chart. -->

Installs the cloud-controller-manager with its permissions into \`kube-system\`.

\`\`\`sh
kubectl -n kube-system create configmap cloud-config --from-file=inventory.yaml
${installCommand(pushed)}
\`\`\`

\`presets/\` has values for each cloud: [aws](presets/aws.yaml), [azure](presets/azure.yaml) and [static](presets/static.yaml) for machines
that you list in a file. Each says at its top what it expects. Without Helm, apply
[manifests/rendered/static.yaml](../rendered/static.yaml) or its neighbours, which are made from this chart, after naming your image in it.

${aboutImage(pushed)}

Values are strict. \`helm\` refuses a name that is mistyped, a flag that the manager does not have and a value of the wrong kind,
such as \`cluster-cidr: foo\`, before anything reaches the cluster. It looks at the form of a value only: the manager ends at its start
if \`cluster-cidr\` has two IPv4 ranges, and the API server checks what is inside \`affinity\`, \`env\`, \`volumes\` and \`volumeMounts\`.

## What is installed

- Two managers on different nodes, preferably of the control plane. One leads; the other one stands by with a warm cache.
  Leader election cannot be switched off: a rollout can run two managers at a time even with one replica.
- With \`kind: DaemonSet\`, one manager on each control-plane node instead. The chart then wants \`controlPlaneNodes: required\` or nodes that
  you select yourself, and has no PodDisruptionBudget, because a drain leaves the pods of a DaemonSet alone.
- \`system-cluster-critical\`, user 65532, a read-only root, no capabilities, and the seccomp profile of the runtime. Without \`hostNetwork\`
  the pods pass the Pod Security Standard \`restricted\`.
- Tolerations for nodes that are not initialised, not ready or without a network: the manager is what makes them usable.
- A PodDisruptionBudget that lets one manager at a time be evicted.
- The memory settings of [memory.env](files/memory.env): one malloc arena and a young generation of 8 MB.
- Roles that are made from what each controller declares. A controller that is switched off has no permissions. With
  \`controllerAccounts: true\` each controller has an account of its own.
- A Service for the metrics, and the ClusterRole \`tandem:cloud-controller-manager:metrics-reader\` for Prometheus and other readers.
- Roles for people who use \`kubectl nodeip\`, all with the name \`tandem:cloud-controller-manager:viewer\`: a ClusterRole, and one Role each
  in \`kube-system\` and in \`default\`. \`viewers\` binds users and groups to all three. They may then forward ports to every pod of
  \`kube-system\`. Without \`viewers\` the chart binds no one.

## Before there is a kube-proxy

Pods reach the API server by the address of the Service \`kubernetes\`. It does not work while nothing implements Services on the node, as in a
cluster without kube-proxy whose network waits for the manager. Name the API server itself then; its certificate has to have that name:

\`\`\`yaml
env:
  - { name: KUBERNETES_SERVICE_HOST, value: api.example.com }
  - { name: KUBERNETES_SERVICE_PORT, value: '6443' }
\`\`\`

## Priority and fairness

The service account is \`system:serviceaccount:kube-system:cloud-controller-manager\`. With the FlowSchemas that every cluster starts with,
its requests are not queued behind those of ordinary workloads, and those for the Lease have a priority level of their own:

| request | FlowSchema | priority level |
| --- | --- | --- |
${flowClaims.map((claim) => `| ${claim.request} | \`${claim.flowSchema}\` | \`${claim.priorityLevel}\` |`).join('\n')}

In another namespace, or with a Lease elsewhere, this would not hold: the chart installs into \`kube-system\` only. To see what a cluster
of yours does: \`kubectl get flowschemas\`.

## Select nodes by labels that kubelets cannot set

A kubelet may label and annotate its own Node. The admission plug-in NodeRestriction keeps it from labels under
\`node-restriction.kubernetes.io/\` and from most others of \`kubernetes.io\` and \`k8s.io\`, but from no other label, and from no annotation:
it can set \`pool=storage\` as well as \`tandem.dev/node-ip\`. An attacker with the credentials of one kubelet could choose the policy,
the pool of pod CIDRs or the routes of that node. Select nodes in \`configuration\` by labels under \`node-restriction.kubernetes.io/\`, which
only you can set:

\`\`\`yaml
configuration:
  nodeIPPolicies:
    - name: storage
      selector: { matchLabels: { node-restriction.kubernetes.io/pool: storage } }
      request: IPv6,IPv4
\`\`\`

Whatever a node asks for, it never gets an address that the cloud does not list for its machine.

## Monitoring

\`podMonitor.enabled\`, \`alerts.enabled\` and \`dashboard.enabled\` add a PodMonitor and a PrometheusRule for the Prometheus operator, and a
dashboard for Grafana. [Alerts](../../docs/guides/alerts.md) is the runbook; \`docsURL\` is where the alerts link to. The PodMonitor comes
with a service account that may read the metrics and nothing else. Without the operator, give Prometheus
[manifests/alerts/tandem.yaml](../alerts/tandem.yaml), and bind its account with \`metrics.readers\`.

## Values

| value | default | meaning |
| --- | --- | --- |
${rowsOf(settable(pushed), '').join('\n')}
`;
}

/** A released chart brings its presets along, but helm reads values from files only: unpack it first. */
function installCommand(pushed: PushedImage | undefined): string {
  if (pushed === undefined) {
    return `helm install tandem manifests/chart --namespace kube-system \\
  --values manifests/chart/presets/static.yaml --set image.registry=registry.example.com`;
  }
  return `helm pull oci://${pushed.registry}/tandem/charts/tandem --untar
helm install tandem ./tandem --namespace kube-system --values tandem/presets/static.yaml`;
}

function aboutImage(pushed: PushedImage | undefined): string {
  return pushed === undefined
    ? `\`image.registry\` has no default that anybody could own: until you set it, the pods wait for an image of \`registry.invalid\`.`
    : `The chart installs the image of its release by its digest, from \`${pushed.registry}\`. If you copied the image to a registry of your own,
set \`image.registry\` alone. For an image that you built yourself, set \`image.digest\` too, or \`image.tag\` with an empty \`image.digest\`.`;
}

function rowsOf(schemas: Readonly<Record<string, Schema>>, prefix: string): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const { description = '', properties } = schema;
    if (schema.default === undefined && properties !== undefined) {
      return rowsOf(properties, `${path}.`);
    }
    return [
      `| \`${path}\` | ${shown(schema.default)} | ${escape(description + choices(schema))} |`,
    ];
  });
}

function choices(schema: Schema): string {
  return schema.enum === undefined
    ? ''
    : ` One of ${schema.enum.map((each) => `\`${each}\``).join(', ')}.`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= shownMax ? `\`${text}\`` : 'see values.yaml';
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

const shownMax = 60;
