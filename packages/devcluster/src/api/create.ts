/** Creates an object: names and stamps it, prepares it by the rules of its kind, validates it, stores it. */
import { isJsonObject, type Json, type JsonObject, textAt } from '../json/index.ts';
import { type Resource, resources, storedForm, validateMeta } from '../resources/index.ts';
import { formatTime } from '../schema/index.ts';
import { keyOf, type ObjectMeta, type StoredObject } from '../store/index.ts';
import type { WriteOptions } from './read-body.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';
import { collectionOf, type ApiContext } from './api-context.ts';

export function createObject(
  context: ApiContext,
  route: ResourceRoute,
  { shown, options }: { readonly shown: JsonObject; readonly options: WriteOptions },
): StoredObject {
  const { resource } = route;
  // A kube-apiserver ignores zero and text that is not a version.
  if (/^0*[1-9]\d*$/.test(textAt(shown, 'metadata', 'resourceVersion'))) {
    refuse({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
  }
  const object = resource.rules.prepareCreate(stampNew(context, route, shown));
  refuseMissingNamespace(context, route);
  const errors = [
    ...validateMeta(object, resource.nameRule),
    ...resource.rules.validateCreate(object),
  ];
  if (errors.length > 0) refuse(refusals.invalid(resource, object.metadata.name, errors));
  const collection = collectionOf(context, resource);
  if (collection.get(keyOf(object)) !== undefined) {
    refuse(refusals.alreadyExists(resource, object.metadata.name));
  }
  return options.isDryRun ? object : store(context, resource, object);
}

/** Stores a validated object and restarts its time to live. */
export function store(context: ApiContext, resource: Resource, object: StoredObject): StoredObject {
  const stored = collectionOf(context, resource).put(object);
  if (resource.ttlMs !== undefined) {
    context.expiry.written(keyOf(stored), context.clock.now() + resource.ttlMs);
  }
  return stored;
}

function stampNew(context: ApiContext, route: ResourceRoute, shown: JsonObject): StoredObject {
  const { resource, namespace } = route;
  const given = isJsonObject(shown['metadata']) ? shown['metadata'] : {};
  const home = given['namespace'] ?? namespace;
  if (namespace !== undefined && home !== namespace) {
    refuse(
      refusals.badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      ),
    );
  }
  const generateName = textAt(given, 'generateName');
  const name = textAt(given, 'name') || (generateName === '' ? '' : generateName + suffix(context));
  const named = generateName === '' ? { name } : { name, generateName };
  const metadata: ObjectMeta & Record<string, Json | undefined> = {
    ...(namespace === undefined ? named : { ...named, namespace }),
    uid: context.ids.uuid(),
    creationTimestamp: formatTime(context.clock.now()),
  };
  for (const key of keptMetadata) if (given[key] !== undefined) metadata[key] = given[key];
  return storedForm(resource, shown, metadata);
}

/** The metadata that a client may set when it creates an object. */
const keptMetadata = ['labels', 'annotations', 'ownerReferences', 'finalizers'];

/** Has no vowels, so that no suffix is a word. */
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

function suffix({ random }: ApiContext): string {
  const letter = (): string =>
    suffixAlphabet[Math.floor(random.next() * suffixAlphabet.length)] ?? '';
  return Array.from({ length: 5 }, letter).join('');
}

const namespaces = resources.find(({ resource }) => resource === 'namespaces');

function refuseMissingNamespace(context: ApiContext, { namespace }: ResourceRoute): void {
  if (namespace === undefined || namespaces === undefined) return;
  if (context.store.collection(namespaces.collection).get(namespace) === undefined) {
    refuse(refusals.notFound(namespaces, namespace));
  }
}
