/** Flags that upstream's manager does not have. */
import type { BrakeSettings } from '@tandem/core/lifecycle';
import { type DefaultedFlag, type Flag, type FlagGroup, honoured } from '../flag.ts';
import { bool, brake, duration, file } from '../values/index.ts';

export const config: Flag<string | undefined> = {
  name: 'config',
  type: file,
  standing: honoured,
  help: "A file with node-IP policies, networks that must never be node IPs, and the cluster's VIPs (apiVersion tandem.dev/v1alpha1, kind ManagerConfiguration). It is read once, at the start.",
};

export const dryRun: DefaultedFlag<boolean> = {
  name: 'dry-run',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: 'Read everything, decide everything, log and count what would be written, and write nothing: no node, no event, no Lease. Safe beside the manager that is running now.',
};

export const refreshLabels: DefaultedFlag<boolean> = {
  name: 'refresh-labels',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: "Keep the labels that come from the cloud (instance type, zone, region, the provider's own) true for as long as the node lives; one that the cloud no longer gives stays. Otherwise they are written once, when the node is initialised, as upstream does.",
};

export const nodeDeletionGrace: DefaultedFlag<number> = {
  name: 'node-deletion-grace',
  type: duration(),
  byDefault: '15s',
  standing: honoured,
  help: 'The least time between two answers of the cloud that an instance is gone before its node is deleted. Both are asked of the cloud itself, never of a cache.',
};

export const nodeDeletionMinAge: DefaultedFlag<number> = {
  name: 'node-deletion-min-age',
  type: duration(),
  byDefault: '1m',
  standing: honoured,
  help: 'The age from which an answer that its instance is gone counts against a node. Many clouds do not know an instance yet when its node registers.',
};

export const nodeDeletionBrake: DefaultedFlag<BrakeSettings | undefined> = {
  name: 'node-deletion-brake',
  type: brake,
  byDefault: '5,20%,10m',
  standing: honoured,
  help: 'When so many nodes lose their instances within the window that an outage is likelier, none is deleted: more than the larger of a number and a share of the nodes of this cloud. Nodes that are being removed by something else do not count. "off" takes the brake away.',
};

export const tandem: FlagGroup = {
  title: 'Tandem',
  flags: [config, dryRun, refreshLabels, nodeDeletionGrace, nodeDeletionMinAge, nodeDeletionBrake],
};
