/** Objects in the requested form: whole, metadata only, or as rows of a table. */
import type { JsonObject } from '../json/index.ts';
import { apiVersionOf, type Resource, shown, viewed } from '../resources/index.ts';
import type { StoredObject } from '../store/index.ts';
import type { Form } from './negotiate.ts';

export interface Presentation {
  readonly resource: Resource;
  readonly form: Form;
  readonly nowMs: number;
  /** What a row of a table has beside its cells. */
  readonly rowObject: 'None' | 'Metadata' | 'Object';
}

const metaApi = 'meta.k8s.io/v1';

export function represent(object: StoredObject, presentation: Presentation): JsonObject {
  const { resource, form } = presentation;
  switch (form) {
    case 'object':
      return shown(resource, object);
    case 'metadata':
      return partial(object);
    case 'table':
      return table([object], presentation, {
        resourceVersion: object.metadata.resourceVersion,
      });
    default:
      return form satisfies never;
  }
}

export function representList(
  objects: readonly StoredObject[],
  presentation: Presentation,
  metadata: JsonObject,
): JsonObject {
  const { resource, form } = presentation;
  switch (form) {
    case 'object':
      return {
        kind: `${resource.kind}List`,
        apiVersion: apiVersionOf(resource),
        metadata,
        items: objects.map((object) => viewed(resource, object)),
      };
    case 'metadata':
      return {
        kind: 'PartialObjectMetadataList',
        apiVersion: metaApi,
        metadata,
        items: objects.map((object) => partial(object)),
      };
    case 'table':
      return table(objects, presentation, metadata);
    default:
      return form satisfies never;
  }
}

/** A bookmark has a type and a version, and no object. */
export function representBookmark(presentation: Presentation, metadata: JsonObject): JsonObject {
  const { resource, form } = presentation;
  switch (form) {
    case 'object':
      return {
        kind: resource.kind,
        apiVersion: apiVersionOf(resource),
        metadata,
        ...(resource.resource === 'nodes' ? { spec: {}, status: emptyNodeStatus } : {}),
      };
    case 'metadata':
      return { kind: 'PartialObjectMetadata', apiVersion: metaApi, metadata };
    case 'table':
      return { kind: 'Table', apiVersion: metaApi, metadata, columnDefinitions: [], rows: [] };
    default:
      return form satisfies never;
  }
}

/** A kube-apiserver always writes these, because they are structs and not pointers. */
const emptyNodeStatus = { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: {} };

function partial({ metadata }: StoredObject): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: metaApi, metadata };
}

function table(
  objects: readonly StoredObject[],
  presentation: Presentation,
  metadata: JsonObject,
): JsonObject {
  const { resource, nowMs, rowObject } = presentation;
  return {
    kind: 'Table',
    apiVersion: metaApi,
    metadata,
    columnDefinitions: resource.columns.map(({ name, description, priority, isName }) => ({
      name,
      type: 'string',
      format: isName === true ? 'name' : '',
      description,
      priority,
    })),
    rows: objects.map((object) => ({
      cells: resource.columns.map((column) => column.cell(object, nowMs)),
      ...(rowObject === 'None'
        ? {}
        : {
            object: rowObject === 'Object' ? shown(resource, object) : partial(object),
          }),
    })),
  };
}
