/**
 * What a kube-apiserver serves and the embedded server does not. The embedded server answers requests for it
 * with 501. It answers 404 for what a kube-apiserver does not serve either.
 */

export function isKubernetes({
  group,
  version,
  resource,
}: {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}): boolean {
  return resourcesOf.get(`${group}/${version}`)?.includes(resource) === true;
}

/** Whether a kube-apiserver serves the group in some version. Not for the core group, which is served here. */
export function isKubernetesGroup(group: string): boolean {
  return groups.has(group);
}

/** Whether only a kube-apiserver has this subresource, of a resource that is served here. */
export function isKubernetesPart(resource: string, part: string): boolean {
  return parts[resource]?.includes(part) === true;
}

const missing: Readonly<Record<string, string>> = {
  '/v1':
    'bindings componentstatuses endpoints limitranges persistentvolumeclaims persistentvolumes podtemplates replicationcontrollers resourcequotas secrets serviceaccounts',
  'apiregistration.k8s.io/v1': 'apiservices',
  'apps/v1': 'controllerrevisions daemonsets deployments replicasets statefulsets',
  'authentication.k8s.io/v1': 'tokenreviews',
  'authorization.k8s.io/v1':
    'localsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews',
  'autoscaling/v2': 'horizontalpodautoscalers',
  'autoscaling/v1': 'horizontalpodautoscalers',
  'batch/v1': 'cronjobs jobs',
  'certificates.k8s.io/v1': 'certificatesigningrequests',
  'networking.k8s.io/v1': 'ingressclasses ingresses ipaddresses networkpolicies servicecidrs',
  'policy/v1': 'poddisruptionbudgets',
  'rbac.authorization.k8s.io/v1': 'clusterrolebindings clusterroles rolebindings roles',
  'storage.k8s.io/v1':
    'csidrivers csinodes csistoragecapacities storageclasses volumeattachments volumeattributesclasses',
  'admissionregistration.k8s.io/v1':
    'mutatingadmissionpolicies mutatingadmissionpolicybindings mutatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings validatingwebhookconfigurations',
  'apiextensions.k8s.io/v1': 'customresourcedefinitions',
  'scheduling.k8s.io/v1': 'priorityclasses',
  'node.k8s.io/v1': 'runtimeclasses',
  'discovery.k8s.io/v1': 'endpointslices',
  'resource.k8s.io/v1': 'deviceclasses resourceclaims resourceclaimtemplates resourceslices',
  'flowcontrol.apiserver.k8s.io/v1': 'flowschemas prioritylevelconfigurations',
};

const resourcesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(missing).map(([groupVersion, names]) => [groupVersion, names.split(' ')]),
);

const groups: ReadonlySet<string> = new Set(
  [...resourcesOf.keys()].map((groupVersion) => groupVersion.split('/')[0] ?? ''),
);

const parts: Readonly<Record<string, readonly string[]>> = {
  namespaces: ['finalize'],
  nodes: ['proxy'],
  pods: [
    'attach',
    'binding',
    'ephemeralcontainers',
    'eviction',
    'exec',
    'log',
    'portforward',
    'proxy',
    'resize',
  ],
  services: ['proxy'],
};
