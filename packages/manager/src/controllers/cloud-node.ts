/** The cloud-node-controller: initialises nodes, and keeps their addresses and labels up to date. */
import {
  controllerName,
  NodeController,
  nodeEvents,
  nodeMetricTable,
  refusalActions,
} from '@tandem/controllers/node';
import { requestRefusals } from '@tandem/core/node-address';
import { nodeRefusals } from '@tandem/core/node-init';
import { accepted, bool, type DefaultedFlag, duration, int } from '@tandem/cli/flags';
import { goDuration } from '@tandem/cli/duration';
import { type Grant, onNodes } from '../access/index.ts';
import {
  type ControllerDeclaration,
  declareController,
  type EventNote,
  eventNotes,
} from './declaration.ts';

const concurrentNodeSyncs: DefaultedFlag<number> = {
  name: 'concurrent-node-syncs',
  type: int({ min: 1, max: 1024 }),
  byDefault: '16',
  help: 'Number of nodes processed in parallel. Initialisation takes priority over refresh. The upstream default is 1, which protects API servers without priority and fairness but slows down clusters with thousands of nodes.',
};

const nodeStatusUpdateFrequency: DefaultedFlag<number> = {
  name: 'node-status-update-frequency',
  type: duration({ minMs: 1000 }),
  byDefault: '5m',
  help: 'Period within which every node is looked up in the cloud again. The look-ups are spread over the period. Changes to a node itself, such as a new IP request, take effect at once.',
};

const concurrentNodeStatusUpdates: DefaultedFlag<number> = {
  name: 'concurrent-node-status-updates',
  type: int({ min: 0, max: 1024 }),
  byDefault: '0',
  support: accepted('the workers of --concurrent-node-syncs also refresh nodes', '0'),
  help: 'Number of nodes refreshed in parallel. 0 means the same as --concurrent-node-syncs.',
};

const refreshLabels: DefaultedFlag<boolean> = {
  name: 'refresh-labels',
  type: bool,
  byDefault: 'false',
  help: "Keep labels from the cloud (instance type, zone, region, the provider's own) up to date for the life of the node. Labels that the cloud no longer reports stay. Without this flag, labels are written once, at initialisation, as upstream does.",
};

const grants: readonly Grant[] = [
  {
    part: controllerName,
    purpose: 'a node that changed during a write',
    ...onNodes,
    verbs: { get: 'Nodes that change during a write are not updated' },
  },
  {
    part: controllerName,
    purpose: 'providerID, labels and the removal of the taint',
    ...onNodes,
    verbs: { patch: 'New nodes stay tainted and get neither providerID nor labels' },
  },
  {
    part: controllerName,
    purpose: 'the addresses',
    ...onNodes,
    resource: 'nodes/status',
    verbs: { patch: 'Nodes get no addresses, and new nodes stay tainted' },
  },
];

interface CloudNodeSettings {
  /** The number of nodes that are processed in parallel. */
  readonly workers: number;
  /** The time within which every node is looked up again. */
  readonly refreshPeriodMs: number;
  readonly refreshLabels: boolean;
}

export const cloudNode: ControllerDeclaration = declareController<CloudNodeSettings>({
  name: controllerName,
  alias: 'cloud-node',
  serviceAccount: 'node-controller',
  flags: [
    {
      title: 'Cloud node controller',
      flags: [
        nodeStatusUpdateFrequency,
        refreshLabels,
        concurrentNodeSyncs,
        concurrentNodeStatusUpdates,
      ],
    },
  ],
  read: (flags) => ({
    workers: flags.of(concurrentNodeSyncs),
    refreshPeriodMs: flags.of(nodeStatusUpdateFrequency),
    refreshLabels: flags.of(refreshLabels),
  }),
  show: (settings) => ({
    upstream: {
      NodeController: { ConcurrentNodeSyncs: settings.workers },
      NodeStatusUpdateFrequency: goDuration(settings.refreshPeriodMs),
    },
    own: { refreshLabels: settings.refreshLabels },
  }),
  grants,
  needs: (_, mode) => (mode === 'write' ? grants : []),
  metrics: Object.values(nodeMetricTable),
  events: [...eventNotes(nodeEvents), ...refusalNotes()],
  create({ workers, refreshPeriodMs, refreshLabels: refreshes }, { addressRules, ...parts }) {
    const settings = { ...addressRules, refreshLabels: refreshes };
    return new NodeController({ ...parts, workers, refreshPeriodMs, settings });
  },
});

/** Returns the events of refusals, whose reasons are the codes. Only a write can refuse labels. */
function refusalNotes(): EventNote[] {
  const { uninitialised, initialised, labels } = refusalActions;
  return Object.entries({ ...requestRefusals, ...nodeRefusals }).map(([reason, refusal]) => ({
    reason,
    type: 'Warning',
    actions: [uninitialised, initialised, ...(reason === 'WriteRefused' ? [labels] : [])],
    ...refusal,
  }));
}
