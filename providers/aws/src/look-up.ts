/**
 * Looks up the instances of many nodes with few calls, and gives one answer for each node. A providerID names the
 * instance exactly. A node without one is found by its name, but only among the instances of the cluster.
 */
import { enumerate, quote } from '@tandem/core/node-address';
import type { LookupAnswer, LookupAnswers, NodeRef } from '@tandem/provider/plug';
import { type Cluster, clusterIdsOf, tagKeyOf } from './cluster.ts';
import { AWSError, type AWSErrorCode, notFoundCode } from './failure.ts';
import { findById, findByName, type FindOptions, type Reading } from './find-instances.ts';
import { answerOf, type InstanceFacts, isTerminated } from './instance.ts';
import type { Interfaces } from './interfaces.ts';
import type { FoundInstance, NetworkTopology } from './network-topology.ts';
import { instanceIdOf, instanceIdOfName, isInOtherRegion, zoneOf } from './provider-id.ts';
import type { ZoneIds } from './zone-ids.ts';
import type { Instance } from './sdk/actions.ts';

export interface LookUpOptions extends FindOptions, Pick<InstanceFacts, 'families' | 'region'> {
  readonly cluster: Cluster;
  readonly zoneIds: ZoneIds;
  readonly topology: NetworkTopology;
  readonly interfaces: Interfaces;
}

export async function lookUp(
  nodes: readonly NodeRef[],
  options: LookUpOptions,
): Promise<LookupAnswers> {
  const matches = await matchAll(nodes, options);
  const found = matches.filter((match) => 'instance' in match);
  const { zoneIds, topology, signal } = options;
  await zoneIds.learn(
    found.map(({ instance }) => instance),
    signal,
  );
  await topology.learn(found, signal);
  return new Map(
    matches.map((match): [string, LookupAnswer] => {
      if (!('instance' in match)) return [match.node.name, match.answer];
      const { node, instance, asOfMs } = match;
      const labels = { ...zoneIds.labelsOf(instance), ...topology.labelsOf(match) };
      return [node.name, answerOf(instance, { ...options, labels, asOfMs })];
    }),
  );
}

/** Returns the node's instance, or the answer to give if there is not exactly one. */
type Match =
  | (FoundInstance & { readonly asOfMs: number })
  | { readonly node: NodeRef; readonly answer: LookupAnswer };

async function matchAll(nodes: readonly NodeRef[], options: LookUpOptions): Promise<Match[]> {
  const questions = nodes.map(questionOf).filter((question) => question !== undefined);
  const ids = questions.filter(({ by }) => by === 'id');
  const names = questions.filter(({ by }) => by === 'privateDnsName');
  const needsCluster = questions.some(({ hasNoProviderID }) => hasNoProviderID);
  const [byId, byName, cluster] = await Promise.all([
    findById(new Map(ids.map(({ value, node }) => [value, zoneOfNode(node)])), options),
    findByName(
      names.map(({ value }) => value),
      options,
    ),
    needsCluster ? readCluster(options) : { id: '' },
  ]);
  for (const { values, outcome } of [...byId, ...byName]) {
    if (outcome.kind === 'read') options.interfaces.note(values, outcome.instances);
  }
  const readings = { id: indexOf(byId), privateDnsName: indexOf(byName) };
  return nodes.map((node) => {
    const question = questionOf(node);
    if (question === undefined) return { node, answer: { kind: 'notOurs' } };
    const reading = readings[question.by].get(question.value);
    return matchOf(question, { reading, cluster, region: options.region });
  });
}

/** How to find a node's instance. */
interface Question {
  readonly node: NodeRef;
  readonly by: 'id' | 'privateDnsName';
  readonly value: string;
  /** Whether the node has no providerID, so that the cluster's tag decides. */
  readonly hasNoProviderID: boolean;
}

/** Returns undefined if the providerID belongs to another cloud. */
function questionOf(node: NodeRef): Question | undefined {
  const { name, providerID } = node;
  const hasNoProviderID = providerID === '';
  const value = hasNoProviderID ? instanceIdOfName(name) : instanceIdOf(providerID);
  if (value !== undefined) return { node, by: 'id', value, hasNoProviderID };
  return hasNoProviderID ? { node, by: 'privateDnsName', value: name, hasNoProviderID } : undefined;
}

/** A providerID may leave the zone out. An initialised node then still has the zone's label. */
function zoneOfNode({ providerID, labels }: NodeRef): string {
  return zoneOf(providerID) || (labels['topology.kubernetes.io/zone'] ?? '');
}

interface MatchInput {
  readonly reading: Reading | undefined;
  readonly cluster: KnownCluster;
  readonly region: string;
}

type KnownCluster = { readonly id: string } | { readonly err: AWSError };

async function readCluster({ cluster, signal }: LookUpOptions): Promise<KnownCluster> {
  try {
    return { id: await cluster.id(signal) };
  } catch (err) {
    if (err instanceof AWSError) return { err };
    throw err;
  }
}

function matchOf(question: Question, { reading, cluster, region }: MatchInput): Match {
  const { node, by, value, hasNoProviderID } = question;
  if (reading === undefined) return unknown(node, 'EC2CallFailed', 'EC2 was not asked');
  const { outcome } = reading;
  const shown = (outcome.kind === 'read' ? outcome.instances : []).filter(
    (one) => (by === 'id' ? one.InstanceId : one.PrivateDnsName) === value,
  );
  // Of many ids that EC2 denies, it is not known which of them do not exist.
  const isDenied = outcome.kind === 'read' || outcome.err.ec2Code === notFoundCode;
  const zone = zoneOfNode(node);
  if (shown.length === 0 && isDenied && isInOtherRegion(zone, region)) {
    return unknown(node, 'AWSInstanceElsewhere', describeElsewhere(question, { zone, region }));
  }
  if (outcome.kind === 'failed') return { node, answer: { kind: 'unknown', err: outcome.err } };
  if (hasNoProviderID && 'err' in cluster)
    return { node, answer: { kind: 'unknown', err: cluster.err } };
  const clusterId = 'id' in cluster ? cluster.id : '';
  const named = shown.filter((one) => !isTerminated(one));
  const [instance, ...others] = named.filter(
    (one) => !hasNoProviderID || clusterIdsOf(one).includes(clusterId),
  );
  const { asOfMs } = outcome;
  if (instance === undefined) {
    const [foreign] = named;
    return foreign === undefined
      ? { node, answer: { kind: 'absent', asOfMs } }
      : unknown(node, 'AWSInstanceUntagged', describeForeign(foreign, node, clusterId));
  }
  // Between two pages of an answer, an instance may move from one to the other.
  const isOne = others.every(({ InstanceId }) => InstanceId === instance.InstanceId);
  if (isOne) return { node, instance, asOfMs };
  return unknown(node, 'AWSInstanceAmbiguous', describeSeveral([instance, ...others], node));
}

/** EC2 shows the instances of one region. That it does not show one of another region proves nothing (P3). */
function describeElsewhere(
  { value }: Question,
  { zone, region }: { readonly zone: string; readonly region: string },
): string {
  return (
    `Region ${region} has no instance ${quote(value)}, and zone ${quote(zone)} of the node is in another region. ` +
    'Set Region in --cloud-config to that of the node, or delete the Node'
  );
}

function describeForeign(instance: Instance, { name }: NodeRef, clusterId: string): string {
  const owners = clusterIdsOf(instance);
  const tags =
    owners.length === 0
      ? 'no tag of a cluster'
      : `the tag of cluster ${enumerate(owners)}, not of ${clusterId}`;
  return (
    `${instance.InstanceId} has the name ${quote(name)} but ${tags}. ` +
    `Tag it with ${tagKeyOf(clusterId)}, or start the kubelet with --provider-id`
  );
}

function describeSeveral(instances: readonly Instance[], { name }: NodeRef): string {
  const ids = instances.map(({ InstanceId = '' }) => InstanceId).toSorted();
  return (
    `Several instances have the private DNS name ${quote(name)}: ${enumerate(ids, 100)}. ` +
    'Start the kubelet with --provider-id, or terminate the one that is not the node'
  );
}

function indexOf(readings: readonly Reading[]): ReadonlyMap<string, Reading> {
  return new Map(
    readings.flatMap((reading) => reading.values.map((value) => [value, reading] as const)),
  );
}

function unknown(node: NodeRef, code: AWSErrorCode, message: string): Match {
  return { node, answer: { kind: 'unknown', err: new AWSError(code, message) } };
}
