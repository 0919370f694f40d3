/**
 * The addresses of a node according to an answer of the cloud, or why they are undecided. A list contains
 * only what the cloud gave and the node's own Hostname (P2). A request is refused for a missing
 * address only on an answer that is newer than the request (P3): an older one may not contain the
 * address that the request names.
 */
import { assert } from '../assert.ts';
import {
  carryOverHostnames,
  describeDisagreement,
  enumerate,
  exclude,
  type ExcludedAddress,
  explainAddresses,
  type Explanation,
  findRequest,
  kubeletAnnotation,
  type NodeAddress,
  readAddresses,
  type Refusal,
  requestRefusals,
  resolveAddresses,
  type ResolveInput,
  stackOf,
  whichAreExcluded,
  withoutDuplicates,
} from '../node-address/index.ts';
import { whatBecomesOf } from './node-refusal-message.ts';
import { isInitialised, type NodeFacts } from './node.ts';
import type { NodeSettings } from './settings.ts';

export interface AddressInput {
  readonly node: NodeFacts;
  readonly cloud: readonly NodeAddress[];
  readonly settings: NodeSettings;
  /** Whether the cloud was asked after the request was made. */
  readonly isFresh: boolean;
}

export type AddressVerdict =
  | {
      readonly kind: 'resolved';
      /** The addresses to write. */
      readonly addresses: readonly NodeAddress[];
      readonly explanation: Explanation;
      readonly disagreement: string | null;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      readonly explanation: Explanation;
      readonly disagreement: string | null;
    }
  /** The answer is too old for a refusal. */
  | { readonly kind: 'stale' };

export function judgeAddresses(input: AddressInput): AddressVerdict {
  const { node, settings, isFresh } = input;
  const cloud = readAddresses(input.cloud);
  const { exclusions, gates } = settings;
  const request = findRequest(node, settings.policies);
  const explained = explainAddresses({ cloud, exclusions, gates, request });
  const judged = losesItsIPs(node, explained)
    ? refuse(explained, noIPListed(explained, exclude(cloud, exclusions).excluded))
    : explained;
  const explanation = withWhatBecomesOf(node, judged);
  const { error, addresses: resolved } = explanation;
  if (error !== null && requestRefusals[error.code].isAboutCloud && !isFresh)
    return { kind: 'stale' };

  const disagreement = findDisagreement(input, { cloud, exclusions, gates });
  if (error !== null) return { kind: 'refused', refusal: error, explanation, disagreement };
  assert(resolved !== null, 'what is not refused has addresses');
  const carried = carryOverHostnames({
    resolved,
    cloud,
    current: node.addresses,
    exclusions,
  });
  const addresses = withoutDuplicates(carried);
  return {
    kind: 'resolved',
    addresses,
    explanation: {
      request: explanation.request,
      cloud: explanation.cloud,
      excluded: explanation.excluded,
      addresses,
      stack: explanation.stack,
      error,
      steps: () => [...explanation.steps(), ...describeCarried(carried.slice(resolved.length))],
    },
    disagreement,
  };
}

function findDisagreement(
  { node, isFresh }: AddressInput,
  given: Omit<ResolveInput, 'request'>,
): string | null {
  const disagreement = describeDisagreement(node.annotations, given);
  if (disagreement === null || isFresh) return disagreement;
  // On an old answer, kubelet's request may differ only because its address is not known yet.
  const kubelets = node.annotations[kubeletAnnotation] ?? null;
  return resolveAddresses({ ...given, request: kubelets }).kind === 'resolved'
    ? disagreement
    : null;
}

/**
 * Some clouds list a machine's names before its IPs, or temporarily without them. A node with IPs keeps
 * them, unless a request names exactly that list.
 */
function losesItsIPs(node: NodeFacts, { request, addresses, stack }: Explanation): boolean {
  if (request !== null || addresses === null || stack !== null) return false;
  return isInitialised(node) && stackOf(readAddresses(node.addresses)) !== null;
}

function refuse(explanation: Explanation, error: Refusal): Explanation {
  const steps = (): string[] => [
    ...explanation.steps(),
    `refused with ${error.code}: ${error.message}`,
  ];
  return { ...explanation, addresses: null, error, steps };
}

/** Adds the consequence for the node to a refusal that does not depend on a request. */
function withWhatBecomesOf(node: NodeFacts, explanation: Explanation): Explanation {
  const { error } = explanation;
  if (error?.code !== 'NoCloudAddresses') return explanation;
  const message = `${error.message} ${whatBecomesOf(node)}`;
  const steps = (): readonly string[] => explanation.steps().slice(0, -1);
  return refuse({ ...explanation, steps }, { ...error, message });
}

function noIPListed(
  { cloud, addresses }: Explanation,
  excluded: readonly ExcludedAddress[],
): Refusal {
  const listed = enumerate(
    withoutDuplicates(addresses ?? cloud).map(({ type, address }) => `${type} ${address}`),
  );
  const aside = excluded.length === 0 ? '' : `, plus ${whichAreExcluded(excluded)}`;
  const another = excluded.length === 0 ? 'an' : 'another';
  const lifting = excluded.some(({ isVip }) => !isVip) ? ' or change the exclusion' : '';
  return {
    code: 'NoCloudAddresses',
    message: `The cloud reports only ${listed}${aside}. Give the instance ${another} IP address${lifting}.`,
  };
}

function describeCarried(hostnames: readonly NodeAddress[]): string[] {
  if (hostnames.length === 0) return [];
  const listed = enumerate(hostnames.map(({ address }) => address));
  return [`kept the node's own Hostname ${listed}: the cloud lists none`];
}
