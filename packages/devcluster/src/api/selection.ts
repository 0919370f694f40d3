/** The objects of a collection that a request is about: those in its namespace that its selectors match. */
import { at, isJsonObject, textAt } from '../json/index.ts';
import type { Resource } from '../resources/index.ts';
import type { StoredObject } from '../store/index.ts';
import { parseLabelSelector } from './label-selector.ts';
import { refuse, refusals } from './refusal.ts';
import type { ResourceRoute } from './route.ts';

export interface Selection {
  readonly matches: (object: StoredObject) => boolean;
  /** Whether a label or field selector narrows it. */
  readonly isSelective: boolean;
}

export function readSelection({ resource, namespace, name, query }: ResourceRoute): Selection {
  const labels = query.get('labelSelector') ?? '';
  const fields = query.get('fieldSelector') ?? '';
  const rules: ((object: StoredObject) => boolean)[] = [];
  if (namespace !== undefined) rules.push(({ metadata }) => metadata.namespace === namespace);
  if (name !== undefined) rules.push(({ metadata }) => metadata.name === name);
  if (labels !== '') {
    const matches = parseLabelSelector(labels);
    rules.push((object) => matches(labelsOf(object)));
  }
  if (fields !== '') rules.push(...fields.split(',').map((term) => fieldRule(resource, term)));
  return {
    matches: (object) => rules.every((rule) => rule(object)),
    isSelective: labels !== '' || fields !== '',
  };
}

function fieldRule(resource: Resource, term: string): (object: StoredObject) => boolean {
  const match = /^(.*?)(!=|==|=)(.*)$/.exec(term);
  if (match === null) {
    return refuse(refusals.badRequest(`invalid selector: '${term}'; can't understand '${term}'`));
  }
  const [, field = '', operator = '', value = ''] = match;
  const read = fieldReader(resource, field);
  const isWanted = operator !== '!=';
  return (object) => (read(object) === value) === isWanted;
}

function fieldReader(resource: Resource, field: string): (object: StoredObject) => string {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  const hasNamespace = resource.scope === 'Namespaced' && field === 'metadata.namespace';
  if (hasNamespace) return ({ metadata }) => metadata.namespace ?? '';
  const read = resource.selectable.get(field);
  if (read !== undefined) return read;
  return refuse(
    refusals.badRequest(
      resource.selectable.size === 0
        ? `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
        : `field label not supported: ${field}`,
    ),
  );
}

function labelsOf(object: StoredObject): Readonly<Record<string, string>> {
  const labels = at(object, 'metadata', 'labels');
  if (!isJsonObject(labels)) return {};
  return Object.fromEntries(Object.keys(labels).map((key) => [key, textAt(labels, key)]));
}
