/** What a request is about, and the attributes by which access to it is granted. */
import type { Attributes, ResourceAttributes } from '../access/index.ts';
import type { ApiRequest } from './exchange.ts';
import { verbOf } from './answer-resource.ts';
import { findReview, type Review } from './reviews.ts';
import { readRoute, type ResourceRoute, type Route } from './route.ts';

type RequestTarget = Route | { readonly kind: 'review'; readonly review: Review };

export function readRequestTarget({ path }: Pick<ApiRequest, 'path'>): RequestTarget {
  const review = findReview(pathOf(path));
  return review === undefined ? readRoute(path) : { kind: 'review', review };
}

export function attributesOf(
  target: RequestTarget,
  { method, path }: Pick<ApiRequest, 'method' | 'path'>,
): Attributes {
  switch (target.kind) {
    case 'review': {
      const { group, resource } = target.review;
      return nameless({ verb: 'create', group, resource });
    }
    case 'resource':
      return resourceAttributes(target, method);
    case 'unserved': {
      const { resource, group } = target;
      return nameless({ verb: 'get', group, resource });
    }
    case 'page':
    case 'unknown':
      return { kind: 'path', verb: method.toLowerCase(), path: pathOf(path) };
    default:
      return target satisfies never;
  }
}

function resourceAttributes(route: ResourceRoute, method: string): ResourceAttributes {
  const { resource, namespace = '', name = nameSelected(route), subresource = '' } = route;
  return {
    kind: 'resource',
    verb: accessVerbOf(route, method),
    group: resource.group,
    resource: resource.resource,
    subresource,
    namespace,
    name,
  };
}

/** A POST or PUT is checked as a create or update even where its path allows neither. */
function accessVerbOf(route: ResourceRoute, method: string): string {
  if (method === 'POST') return 'create';
  return method === 'PUT' ? 'update' : verbOf(route, method);
}

/** A list or watch of a single object needs only the right to list or watch that object. */
function nameSelected({ query }: ResourceRoute): string {
  const fields = query.get('fieldSelector');
  if (fields === null) return '';
  const terms = fields.split(',').map((term) => /^metadata\.name==?([^=].*)$/.exec(term)?.[1]);
  return terms.find((name) => name !== undefined) ?? '';
}

function nameless(
  attributes: Pick<ResourceAttributes, 'verb' | 'group' | 'resource'>,
): ResourceAttributes {
  return { kind: 'resource', ...attributes, subresource: '', namespace: '', name: '' };
}

function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}
