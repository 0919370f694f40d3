/**
 * One look-up: which instance each node names, few calls for all of them, one answer a node. A node that
 * has a providerID names its instance for certain. One that has none is found by its name, but only among
 * the instances of the cluster.
 */
import type { Instance } from '@aws-sdk/client-ec2';
import { enumerate, quote } from '@tandem/core/node-address';
import type { LookupAnswer, LookupAnswers, NodeRef } from '@tandem/provider/plug';
import { type Cluster, clusterIdsOf } from './cluster.ts';
import { AWSError, type AWSErrorCode } from './failure.ts';
import { findById, findByName, type FindOptions, type Reading } from './find-instances.ts';
import { answerOf, type InstanceFacts, isTerminated } from './instance.ts';
import type { Interfaces } from './interfaces.ts';
import { instanceIdOf, instanceIdOfName, zoneOf } from './provider-id.ts';
import type { ZoneIds } from './zone-ids.ts';

export interface LookUpOptions extends FindOptions, InstanceFacts {
  readonly cluster: Cluster;
  readonly zoneIds: ZoneIds;
  readonly interfaces: Interfaces;
}

export async function lookUp(
  nodes: readonly NodeRef[],
  options: LookUpOptions,
): Promise<LookupAnswers> {
  const questions = nodes.map(questionOf).filter((question) => question !== undefined);
  const ids = questions.filter(({ by }) => by === 'id');
  const names = questions.filter(({ by }) => by === 'privateDnsName');
  const needsCluster = questions.some(({ isByName }) => isByName);
  const [byId, byName, cluster] = await Promise.all([
    findById(new Map(ids.map(({ value, node }) => [value, zoneOf(node.providerID)])), options),
    findByName(
      names.map(({ value }) => value),
      options,
    ),
    needsCluster ? readCluster(options) : undefined,
  ]);
  for (const { values, outcome } of [...byId, ...byName]) {
    if (outcome.kind === 'read') options.interfaces.note(values, outcome.instances);
  }
  await options.zoneIds.learn(zonesOf([...byId, ...byName]), options.signal);
  const readings = { id: indexOf(byId), privateDnsName: indexOf(byName) };
  return new Map(
    nodes.map((node) => {
      const question = questionOf(node);
      if (question === undefined) return [node.name, { kind: 'notOurs' }];
      const reading = readings[question.by].get(question.value);
      return [node.name, answerFor(question, { reading, cluster, options })];
    }),
  );
}

/** How the instance of a node is found. */
interface Question {
  readonly node: NodeRef;
  readonly by: 'id' | 'privateDnsName';
  readonly value: string;
  /** Whether the node has no providerID, so that the tag of the cluster has to tell. */
  readonly isByName: boolean;
}

/** Undefined where the providerID is not this cloud's. */
function questionOf(node: NodeRef): Question | undefined {
  const { name, providerID } = node;
  const isByName = providerID === '';
  const value = isByName ? instanceIdOfName(name) : instanceIdOf(providerID);
  if (value !== undefined) return { node, by: 'id', value, isByName };
  return isByName ? { node, by: 'privateDnsName', value: name, isByName } : undefined;
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

function answerFor(
  { node, by, value, isByName }: Question,
  {
    reading,
    cluster,
    options,
  }: {
    readonly reading: Reading | undefined;
    readonly cluster: KnownCluster | undefined;
    readonly options: LookUpOptions;
  },
): LookupAnswer {
  if (reading === undefined) return unknown('EC2CallFailed', 'EC2 was not asked about the node');
  const { outcome } = reading;
  if (outcome.kind === 'failed') return { kind: 'unknown', err: outcome.err };
  if (cluster !== undefined && 'err' in cluster && isByName) {
    return { kind: 'unknown', err: cluster.err };
  }
  const isOfCluster = (instance: Instance): boolean =>
    !isByName ||
    (cluster !== undefined && 'id' in cluster && clusterIdsOf(instance).includes(cluster.id));
  const [instance, ...others] = outcome.instances
    .filter((one) => (by === 'id' ? one.InstanceId : one.PrivateDnsName) === value)
    .filter((one) => !isTerminated(one) && isOfCluster(one));
  if (instance === undefined) return { kind: 'absent', asOfMs: outcome.asOfMs };
  if (others.length === 0) return answerOf(instance, options, outcome.asOfMs);
  const ids = [instance, ...others].map(({ InstanceId = '' }) => InstanceId).toSorted();
  const what = `Several instances have the private DNS name ${quote(node.name)}`;
  return unknown('AWSInstanceAmbiguous', `${what}: ${enumerate(ids, 100)}`);
}

function indexOf(readings: readonly Reading[]): ReadonlyMap<string, Reading> {
  return new Map(
    readings.flatMap((reading) => reading.values.map((value) => [value, reading] as const)),
  );
}

function zonesOf(readings: readonly Reading[]): string[] {
  const instances = readings.flatMap(({ outcome }) =>
    outcome.kind === 'read' ? outcome.instances : [],
  );
  const zones = instances.map(({ Placement }) => Placement?.AvailabilityZone);
  return [...new Set(zones)].filter((zone) => zone !== undefined);
}

function unknown(code: AWSErrorCode, message: string): LookupAnswer {
  return { kind: 'unknown', err: new AWSError(code, message) };
}
