/**
 * Cuts the OpenAPI document of a Kubernetes release down to the kinds that the chart renders, for tests without that
 * API server. The document is `api/openapi-spec/swagger.json` of the Go module k8s.io/kubernetes:
 *
 *     node test/vectors/openapi/extract.ts v1.36.4 < swagger.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition, Definitions, Minor } from './schema.ts';

/** As `metav1.GroupVersionKind` has them. */
const kinds = new Set([
  '/v1/ConfigMap',
  '/v1/Secret',
  '/v1/Service',
  '/v1/ServiceAccount',
  'apps/v1/Deployment',
  'policy/v1/PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1/ClusterRole',
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
  'rbac.authorization.k8s.io/v1/Role',
  'rbac.authorization.k8s.io/v1/RoleBinding',
]);

interface Swagger {
  readonly definitions: Definitions;
}

const [, , version = ''] = process.argv;
const { definitions }: Swagger = JSON.parse(readFileSync(0, 'utf8'));
const kept: Record<string, Definition> = {};
const roots: Record<string, string> = {};
for (const [name, definition] of Object.entries(definitions)) {
  const known: { group: string; version: string; kind: string }[] =
    Reflect.get(definition, 'x-kubernetes-group-version-kind') ?? [];
  for (const each of known) {
    const key = `${each.group}/${each.version}/${each.kind}`;
    // Helper kinds such as DeleteOptions carry every group.
    if (known.length === 1 && kinds.has(key)) {
      roots[key.replace(/^\//, '')] = name;
      keep(name);
    }
  }
}
const minor: Minor = { version, roots, definitions: kept };
const sorted = Object.fromEntries(Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const file = join(import.meta.dirname, `${version.replace(/\.\d+$/, '')}.jsonl`);
writeFileSync(file, `${JSON.stringify({ ...minor, definitions: sorted })}\n`);

/** With all that it refers to. */
function keep(name: string): void {
  const definition = definitions[name];
  if (definition === undefined) throw new Error(`there is no ${name}`);
  if (kept[name] !== undefined) return;
  kept[name] = strip(definition);
  for (const [, other = ''] of JSON.stringify(kept[name]).matchAll(
    /"\$ref":"#\/definitions\/([^"]+)"/g,
  )) {
    keep(other);
  }
}

/** What checks a value; not what describes it. */
function strip({ type, format, required, properties, items, additionalProperties, $ref }: Definition) {
  const of = Object.entries(properties ?? {}).map(([name, each]) => [name, strip(each)]);
  const cut: Definition = {
    ...(type && { type }),
    ...(format && { format }),
    ...(required && { required }),
    ...(properties && { properties: Object.fromEntries(of) }),
    ...(items && { items: strip(items) }),
    ...(additionalProperties && { additionalProperties: strip(additionalProperties) }),
    ...($ref && { $ref }),
  };
  return cut;
}
