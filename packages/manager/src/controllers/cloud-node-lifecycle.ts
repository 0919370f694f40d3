/** The cloud-node-lifecycle-controller: deletes nodes whose instance is gone, and taints those that are shut down. */
import {
  controllerName,
  lifecycleEvents,
  lifecycleMetricTable,
  NodeLifecycleController,
} from '@tandem/controllers/node-lifecycle';
import type { BrakeSettings, LifecycleSettings } from '@tandem/core/lifecycle';
import {
  accepted,
  type DefaultedFlag,
  duration,
  int,
  int32Max,
  invalid,
  type Parsed,
  single,
  value,
  type ValueType,
} from '@tandem/cli/flags';
import { goDuration, parseDuration } from '@tandem/cli/duration';
import { type Grant, onLease, onNodes, theLease } from '../access/index.ts';
import { type ControllerDeclaration, declareController, eventNotes } from './declaration.ts';

const nodeMonitorPeriod: DefaultedFlag<number> = {
  name: 'node-monitor-period',
  type: duration({ minMs: 1000 }),
  byDefault: '5s',
  help: 'Interval at which cloud-node-lifecycle-controller checks the nodes that are not Ready.',
};

const concurrentNodeLifecycleSyncs: DefaultedFlag<number> = {
  name: 'concurrent-node-lifecycle-syncs',
  type: int({ min: 1, max: int32Max }),
  byDefault: '1',
  support: accepted('one look-up in the cloud covers all nodes of a pass'),
  help: 'Number of nodes looked up in the cloud in parallel.',
};

const nodeDeletionGrace: DefaultedFlag<number> = {
  name: 'node-deletion-grace',
  type: duration(),
  byDefault: '15s',
  help: 'Minimum time between two answers from the cloud that an instance is gone, before its node is deleted. Cached answers do not count.',
};

const nodeDeletionMinAge: DefaultedFlag<number> = {
  name: 'node-deletion-min-age',
  type: duration(),
  byDefault: '1m',
  help: 'Minimum age of a node. Below this age, the manager ignores answers that the instance of the node is gone: many clouds do not report a new instance yet when its node registers.',
};

/** The limits at which deletions stop: `5,20%,10m`, or `off`. */
export const brake: ValueType<BrakeSettings | undefined> = single(
  'nodes,percent[,window]|off',
  parseBrake,
);

const form = 'write NODES,PERCENT% or NODES,PERCENT%,WINDOW, such as 5,20%,10m, or off';
const windowMsDefault = 600_000;

function parseBrake(text: string): Parsed<BrakeSettings | undefined> {
  if (text === 'off') return value(undefined);
  const [, nodes, percent, window] =
    /^(\d{1,9}),(\d{1,3}(?:\.\d{1,3})?)%(?:,(.+))?$/s.exec(text) ?? [];
  if (nodes === undefined || percent === undefined)
    return invalid(`is not a deletion brake: ${form}`);
  if (Number(percent) > 100) return invalid('has a share of more than 100%');
  const parsed = window === undefined ? value(windowMsDefault) : parseDuration(window);
  if (parsed.kind === 'invalid') return invalid(`has a window that ${parsed.reason}`);
  if (parsed.value < 1000) return invalid('has a window shorter than 1s');
  return value({ nodes: Number(nodes), share: Number(percent) / 100, windowMs: parsed.value });
}

const nodeDeletionBrake: DefaultedFlag<BrakeSettings | undefined> = {
  name: 'node-deletion-brake',
  type: brake,
  byDefault: '5,20%,10m',
  help: 'Number of nodes that may lose their instances within the window: the larger of NODES and PERCENT of the nodes of this cloud. If more nodes do, an outage is likely and the manager deletes none. Nodes that are already being deleted, or that the cluster autoscaler or Karpenter removes, do not count. "off" disables the brake.',
};

const nodeGrants: readonly Grant[] = [
  {
    part: controllerName,
    purpose: 'a last look at a node before its deletion',
    ...onNodes,
    verbs: { get: 'Nodes whose instance is gone are not deleted' },
  },
  {
    part: controllerName,
    purpose: 'the shutdown taint',
    ...onNodes,
    verbs: { patch: 'Nodes whose instance is stopped do not get the shutdown taint' },
  },
  {
    part: controllerName,
    purpose: 'nodes whose instance is gone for good',
    ...onNodes,
    verbs: { delete: 'Nodes whose instance is gone are not deleted' },
  },
];

const releaseGrant: Grant = {
  part: 'deletion brake',
  purpose: 'the annotation that releases it',
  ...onLease,
  name: theLease,
  verbs: { get: 'The deletion brake cannot be lifted' },
};

const noMemory = 'After a restart, the deletion brake does not count earlier deletions';

/** The grants to store the memory of the brake on the Lease, which may not exist without an election. */
const memoryGrants: readonly Grant[] = [
  {
    part: 'deletion brake',
    purpose: 'a Lease to remember deletions on, where there is none',
    ...onLease,
    verbs: { create: noMemory },
  },
  {
    part: 'deletion brake',
    purpose: 'its memory of recent deletions',
    ...onLease,
    name: theLease,
    verbs: { update: noMemory },
  },
];

interface CloudNodeLifecycleSettings {
  /** The rules for deleting a node whose instance is gone. */
  readonly rules: LifecycleSettings;
  /** The time between two checks of the nodes that are not Ready. */
  readonly monitorPeriodMs: number;
}

export const cloudNodeLifecycle: ControllerDeclaration =
  declareController<CloudNodeLifecycleSettings>({
    name: controllerName,
    alias: 'cloud-node-lifecycle',
    serviceAccount: 'node-controller',
    flags: [
      {
        title: 'Cloud node lifecycle controller',
        flags: [
          nodeMonitorPeriod,
          nodeDeletionGrace,
          nodeDeletionMinAge,
          nodeDeletionBrake,
          concurrentNodeLifecycleSyncs,
        ],
      },
    ],
    read: (flags) => ({
      rules: {
        graceMs: flags.of(nodeDeletionGrace),
        minAgeMs: flags.of(nodeDeletionMinAge),
        brake: flags.of(nodeDeletionBrake),
      },
      monitorPeriodMs: flags.of(nodeMonitorPeriod),
    }),
    show: ({ rules, monitorPeriodMs }) => ({
      upstream: { KubeCloudShared: { NodeMonitorPeriod: goDuration(monitorPeriodMs) } },
      own: {
        nodeDeletion: {
          grace: goDuration(rules.graceMs),
          minAge: goDuration(rules.minAgeMs),
          brake: shownBrake(rules.brake),
        },
      },
    }),
    grants: [...nodeGrants, releaseGrant, ...memoryGrants],
    needs: ({ rules }, mode) => [
      ...(mode === 'write' ? nodeGrants : []),
      ...(rules.brake === undefined ? [] : [releaseGrant]),
      ...(rules.brake === undefined || mode === 'dryRun' ? [] : memoryGrants),
    ],
    metrics: Object.values(lifecycleMetricTable),
    events: eventNotes(lifecycleEvents),
    create: ({ rules, monitorPeriodMs }, parts) =>
      new NodeLifecycleController({ ...parts, settings: rules, monitorPeriodMs }),
  });

function shownBrake(settings: BrakeSettings | undefined): unknown {
  if (settings === undefined) return 'off';
  const { windowMs, ...limits } = settings;
  return { ...limits, window: goDuration(windowMs) };
}
