/**
 * OpenAPI v3 documents of the schemas. They are enough for kubectl to see that the server validates fields, to plan
 * an apply, and to explain a kind.
 */
import type { JsonObject } from '../json/index.ts';
import type { ListSchema, ObjectSchema, Schema } from './schema.ts';

interface DescribedKind {
  readonly schema: ObjectSchema;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The path of one object, such as `/api/v1/nodes/{name}`. */
  readonly path: string;
}

/** The document of one group and version. */
export function openApiOf(kinds: readonly DescribedKind[]): JsonObject {
  const schemas: Record<string, JsonObject> = {};
  for (const { schema, group, version, kind } of kinds) {
    collect(schema, schemas);
    schemas[schema.name] = {
      ...schemas[schema.name],
      'x-kubernetes-group-version-kind': [{ group, version, kind }],
    };
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Tandem embedded API server', version: 'v1' },
    paths: Object.fromEntries(kinds.map((kind) => [kind.path, pathItem(kind)])),
    components: { schemas },
  };
}

/** kubectl looks for a patch with the parameter `fieldValidation`. */
function pathItem({ group, version, kind, schema }: DescribedKind): JsonObject {
  const queries = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];
  const content = { 'application/json': { schema: reference(schema) } };
  return {
    patch: {
      'x-kubernetes-action': 'patch',
      'x-kubernetes-group-version-kind': { group, version, kind },
      parameters: queries.map((name) => ({
        name,
        in: 'query',
        schema: { type: name === 'force' ? 'boolean' : 'string' },
      })),
      responses: { 200: { description: 'OK', content } },
    },
  };
}

function collect(schema: Schema, into: Record<string, JsonObject>): void {
  switch (schema.kind) {
    case 'list':
      collect(schema.items, into);
      break;
    case 'map':
      collect(schema.values, into);
      break;
    case 'object':
      if (into[schema.name] !== undefined) break;
      into[schema.name] = {
        type: 'object',
        properties: Object.fromEntries(
          [...schema.fields].map(([key, field]) => [key, property(field.schema)]),
        ),
      };
      for (const field of schema.fields.values()) collect(field.schema, into);
      break;
    default:
  }
}

function property(schema: Schema): JsonObject {
  switch (schema.kind) {
    case 'object':
      return reference(schema);
    case 'list':
      return { type: 'array', items: property(schema.items), ...mergeHints(schema) };
    case 'map':
      return { type: 'object', additionalProperties: property(schema.values) };
    case 'integer':
      return { type: 'integer', format: schema.format };
    case 'boolean':
      return { type: 'boolean' };
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'any':
      return { type: 'object' };
    case 'string':
    case 'quantity':
      return { type: 'string' };
    default:
      return schema satisfies never;
  }
}

function mergeHints({ merge }: ListSchema): JsonObject {
  if (merge === 'atomic') return { 'x-kubernetes-list-type': 'atomic' };
  const hint = { 'x-kubernetes-patch-strategy': 'merge' };
  return merge === 'set' ? hint : { ...hint, 'x-kubernetes-patch-merge-key': merge.key };
}

function reference({ name }: ObjectSchema): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
