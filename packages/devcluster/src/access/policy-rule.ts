/**
 * One rule of a role: what it permits, and whether it covers another rule. A rule that covers another
 * permits all that the other does, which is what somebody must have who wants to give it away.
 */
import { textsAt } from '../json/index.ts';
import type { Attributes } from './access.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty for all. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export function readPolicyRule(rule: unknown): PolicyRule {
  return {
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  };
}

export function permits(rule: PolicyRule, attributes: Attributes): boolean {
  if (!includes(rule.verbs, attributes.verb)) return false;
  if (attributes.kind === 'path') return includesPath(rule.nonResourceURLs, attributes.path);
  const { group, resource, subresource, name } = attributes;
  const asked = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    includes(rule.apiGroups, group) &&
    includesResource(rule.resources, asked) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  );
}

/** The parts of a rule that no rule of the owner's covers; none where all may be given away. */
export function uncovered(
  owned: readonly PolicyRule[],
  given: readonly PolicyRule[],
): PolicyRule[] {
  return given.flatMap(partsOf).filter((part) => !owned.some((owner) => coversPart(owner, part)));
}

/** A rule for each verb of each thing, so that several rules together can cover what one gives. */
function partsOf(rule: PolicyRule): PolicyRule[] {
  const { apiGroups, resources, nonResourceURLs } = rule;
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  return rule.verbs.flatMap((verb) => [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        names.map((resourceNames) => ({
          ...empty,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
        })),
      ),
    ),
    ...nonResourceURLs.map((url) => ({ ...empty, verbs: [verb], nonResourceURLs: [url] })),
  ]);
}

const empty: PolicyRule = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
};

/** Here a star is a thing like any other: only a star covers it. */
function coversPart(owner: PolicyRule, part: PolicyRule): boolean {
  return (
    part.verbs.every((verb) => includes(owner.verbs, verb)) &&
    part.apiGroups.every((group) => includes(owner.apiGroups, group)) &&
    part.resources.every((resource) => includesResource(owner.resources, resource)) &&
    part.nonResourceURLs.every((url) => includesPath(owner.nonResourceURLs, url)) &&
    coversNames(owner, part)
  );
}

function coversNames(owner: PolicyRule, part: PolicyRule): boolean {
  if (owner.resourceNames.length === 0) return true;
  const names = part.resourceNames;
  return names.length > 0 && names.every((name) => owner.resourceNames.includes(name));
}

function includes(list: readonly string[], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}

/** `nodes/status` is given by itself, by a star, and by a star in the place of `nodes`; not by `nodes`. */
function includesResource(list: readonly string[], asked: string): boolean {
  if (includes(list, asked)) return true;
  const [, subresource] = asked.split('/');
  return subresource !== undefined && list.includes(`*/${subresource}`);
}

/** A star at the end stands for whatever follows. */
function includesPath(list: readonly string[], path: string): boolean {
  return list.some(
    (url) => url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
  );
}

/** As the refusal of a role that gives too much lists it: `{APIGroups:[""], Resources:["nodes"], Verbs:["get"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['ResourceNames', rule.resourceNames],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['Verbs', rule.verbs],
  ];
  const told = parts
    .filter(([, values]) => values.length > 0)
    .map(
      ([name, values]) => `${name}:[${values.map((value) => JSON.stringify(value)).join(', ')}]`,
    );
  return `{${told.join(', ')}}`;
}
