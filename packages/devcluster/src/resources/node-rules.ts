/**
 * The rules of nodes, as a kube-apiserver has them: podCIDRs and providerID are set once, no address is listed
 * twice, and a new node is tainted until a controller finds it Ready.
 */
import { parseAddress, parseCidr } from '@tandem/core/ip';
import {
  isEqual,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  textAt,
  textsAt,
} from '../json/index.ts';
import type { StoredObject } from '../store/index.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from './field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from './names.ts';
import { changedResourceErrors, resourceErrors, withAllocatable } from './node-resources.ts';
import type { Rules, Update } from './resource.ts';

export const nodeRules: Rules = {
  prepareCreate: (node) => withAllocatable(withTaint(withPodCidrs(node))),
  validateCreate: (node) => [
    ...taintErrors(node),
    ...podCidrErrors(node),
    ...resourceErrors(node, 'capacity'),
    ...resourceErrors(node, 'allocatable'),
  ],
  prepareUpdate: ({ next, current, subresource }) =>
    withPodCidrs(
      subresource === 'status'
        ? withAllocatable(withSpec(next, current['spec']))
        : withStatus(next, current['status']),
    ),
  // Values that have not changed were validated before, except the addresses of a new node.
  validateUpdate: (update) => [
    ...addressErrors(update.next),
    ...changedResourceErrors(update, 'capacity'),
    ...changedResourceErrors(update, 'allocatable'),
    ...(update.next['spec'] === update.current['spec']
      ? []
      : [...taintErrors(update.next), ...podCidrErrors(update.next), ...changeErrors(update)]),
  ],
};

/** No pod is scheduled on the node before its conditions are known. */
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

function withTaint(node: StoredObject): StoredObject {
  const taints = listAt(node, 'spec', 'taints');
  const hasIt = taints.some(
    (taint) => textAt(taint, 'key') === notReady.key && textAt(taint, 'effect') === notReady.effect,
  );
  if (hasIt) return node;
  return { ...node, spec: { ...specOf(node), taints: [...taints, notReady] } };
}

/** podCIDR equals the first of podCIDRs. Where they differ, podCIDR counts. */
function withPodCidrs(node: StoredObject): StoredObject {
  const singular = textAt(node, 'spec', 'podCIDR');
  const plural = listAt(node, 'spec', 'podCIDRs');
  const first = plural[0];
  if (singular === '' && first === undefined) return node;
  if (singular === first) return node;
  const isPluralOnly = singular === '';
  const podCIDR = isPluralOnly ? (first ?? '') : singular;
  const podCIDRs = isPluralOnly ? plural : [singular];
  return { ...node, spec: { ...specOf(node), podCIDR, podCIDRs } };
}

function taintErrors(node: StoredObject): FieldError[] {
  const seen = new Set<string>();
  return listAt(node, 'spec', 'taints').flatMap((taint, index) => {
    const field = `metadata.taints[${index}]`;
    const key = textAt(taint, 'key');
    const value = textAt(taint, 'value');
    const effect = textAt(taint, 'effect');
    const pair = `${key} ${effect}`;
    const isTwice = seen.has(pair);
    seen.add(pair);
    const shape = { Key: key, Value: value, Effect: effect, TimeAdded: null };
    return [
      ...qualifiedNameProblems(key).map((problem) => invalid(`${field}.key`, key, problem)),
      ...labelValueProblems(value).map((problem) => invalid(`${field}.value`, value, problem)),
      ...effectErrors(`${field}.effect`, effect),
      ...(isTwice ? [duplicate(field, shape, 'taints must be unique by key and effect pair')] : []),
    ];
  });
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function effectErrors(field: string, effect: string): FieldError[] {
  if (effect === '') return [required(field)];
  return effects.includes(effect) ? [] : [notSupported(field, effect, effects)];
}

function podCidrErrors(node: StoredObject): FieldError[] {
  const cidrs = textsAt(node, 'spec', 'podCIDRs');
  const errors = cidrs.flatMap((cidr, index) =>
    cidrProblems(cidr).map((problem) => invalid(`spec.podCIDRs[${index}]`, cidr, problem)),
  );
  if (errors.length > 0 || cidrs.length < 2) return errors;
  const families = new Set(cidrs.map((cidr) => cidr.includes(':')));
  if (cidrs.length === 2 && families.size === 2) return [];
  return [invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family')];
}

function cidrProblems(text: string): string[] {
  const isLed = text.includes(':') ? /\/0\d/.test(text) : /(?:^|[./])0\d/.test(text);
  if (isLed) return ['must not have leading 0s in IP or prefix length'];
  if (parseCidr(text).kind === 'cidr') return [];
  const [address = '', length = ''] = text.split('/');
  const bits = parseAddress(address)?.family === 'IPv4' ? 32 : 128;
  const isNearly = parseAddress(address) !== undefined && /^\d{1,3}$/.test(length);
  return isNearly && Number(length) <= bits
    ? ['must not have bits set beyond the prefix length']
    : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
}

function addressErrors(node: StoredObject): FieldError[] {
  const addresses = listAt(node, 'status', 'addresses');
  const isSeenBefore = (address: Json, index: number): boolean =>
    addresses.findIndex((other) => isEqual(other, address)) < index;
  return addresses.flatMap((address, index) => {
    if (!isSeenBefore(address, index)) return [];
    const shape = { Type: textAt(address, 'type'), Address: textAt(address, 'address') };
    return [duplicate(`status.addresses[${index}]`, shape)];
  });
}

function changeErrors({ next, current }: Update): FieldError[] {
  const before = listAt(current, 'spec', 'podCIDRs');
  const isCidrChanged = before.length > 0 && !isEqual(before, listAt(next, 'spec', 'podCIDRs'));
  const providerID = textAt(current, 'spec', 'providerID');
  const isExternalChanged =
    textAt(current, 'spec', 'externalID') !== textAt(next, 'spec', 'externalID');
  const isIdChanged = providerID !== '' && providerID !== textAt(next, 'spec', 'providerID');
  return [
    ...(isCidrChanged ? [setOnce('spec.podCIDRs', 'podCIDR')] : []),
    ...(isIdChanged ? [setOnce('spec.providerID', 'providerID')] : []),
    ...(isExternalChanged ? [forbidden('spec.externalID', 'may not be updated')] : []),
  ];
}

function setOnce(field: string, what: string): FieldError {
  return forbidden(field, `node updates may not change ${what} except from "" to valid`);
}

function specOf({ spec }: StoredObject): JsonObject {
  return isJsonObject(spec) ? spec : {};
}

function withSpec(node: StoredObject, spec: Json | undefined): StoredObject {
  return node['spec'] === spec ? node : { ...node, spec };
}

function withStatus(node: StoredObject, status: Json | undefined): StoredObject {
  return node['status'] === status ? node : { ...node, status };
}
