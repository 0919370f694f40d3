/** Upstream's flags of single controllers and of leader migration. */
import { accepted, type DefaultedFlag, type FlagGroup, honoured, refused } from '../flag.ts';
import { bool, duration, file, int, int32Max } from '../values/index.ts';

export const concurrentNodeSyncs: DefaultedFlag<number> = {
  name: 'concurrent-node-syncs',
  type: int({ min: 1, max: 1024 }),
  byDefault: '16',
  standing: honoured,
  help: 'How many nodes are worked on at once, to initialise them (which comes first) and to keep them true. Upstream has 1 by default, which protects an API server without fairness and makes thousands of nodes wait.',
};

export const nodeStatusUpdateFrequency: DefaultedFlag<number> = {
  name: 'node-status-update-frequency',
  type: duration({ minMs: 1000 }),
  byDefault: '5m',
  standing: honoured,
  help: 'The time within which every node is looked up again in the cloud. The look-ups are spread over it. Changes of a node itself, such as another request, are acted on at once.',
};

export const cloudNodeController: FlagGroup = {
  title: 'Cloud node controller',
  flags: [
    concurrentNodeSyncs,
    {
      name: 'concurrent-node-status-updates',
      type: int({ min: 0, max: 1024 }),
      byDefault: '0',
      standing: accepted(
        'the workers of --concurrent-node-syncs do both, initialisation first',
        '0',
      ),
      help: 'How many nodes are refreshed at once; 0 for as many as --concurrent-node-syncs.',
    },
  ],
};

export const cloudNodeLifecycleController: FlagGroup = {
  title: 'Cloud node lifecycle controller',
  flags: [
    {
      name: 'concurrent-node-lifecycle-syncs',
      type: int({ min: 1, max: int32Max }),
      byDefault: '1',
      standing: accepted('one look-up in the cloud answers for all nodes of a pass'),
      help: 'How many nodes upstream looks up in the cloud at once.',
    },
  ],
};

export const serviceController: FlagGroup = {
  title: 'Service load-balancer controller',
  flags: [
    {
      name: 'concurrent-service-syncs',
      type: int({ min: 1, max: int32Max }),
      byDefault: '1',
      standing: accepted('Tandem has no service-lb-controller'),
      help: 'How many Services are worked on at once.',
    },
  ],
};

export const leaderMigration: FlagGroup = {
  title: 'Leader migration',
  flags: [
    {
      name: 'enable-leader-migration',
      type: bool,
      byDefault: 'false',
      standing: refused(
        'there is no second Lease to migrate through: start kube-controller-manager with --cloud-provider=external, wait until its cloud controllers have stopped, and start Tandem without the flag',
        'false',
      ),
      help: 'Whether controllers move between two managers under a second Lease.',
    },
    {
      name: 'leader-migration-config',
      type: file,
      standing: refused('leader migration is not there: leave the flag out', ''),
      help: 'The file of leader migration.',
    },
  ],
};
