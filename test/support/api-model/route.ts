/** What a request path means: which collection, which object in it, which part of that. */
export interface Route {
  /** `nodes`, or with group and namespace `coordination.k8s.io/leases/kube-system`. */
  readonly collection: string;
  readonly kind: string;
  readonly apiVersion: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly query: URLSearchParams;
}

const kinds: Readonly<Record<string, string>> = {
  nodes: 'Node',
  leases: 'Lease',
  events: 'Event',
  configmaps: 'ConfigMap',
};

export function readRoute(path: string): Route | undefined {
  const url = new URL(path, 'https://model');
  const match =
    /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(
      url.pathname,
    );
  if (match === null) return undefined;
  const [, group, version = '', namespace, resource = '', name, subresource] = match;
  const kind = kinds[resource];
  if (kind === undefined) return undefined;
  return {
    collection: [group, resource, namespace].filter((part) => part !== undefined).join('/'),
    kind,
    apiVersion: group === undefined ? version : `${group}/${version}`,
    namespace,
    name,
    subresource,
    query: url.searchParams,
  };
}
