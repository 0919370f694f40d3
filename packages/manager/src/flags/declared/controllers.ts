/**
 * Upstream's flags of a controller that Tandem does not have, and of leader migration. The flags of Tandem's own
 * controllers are in their declarations (`manager/src/controllers`).
 */
import { accepted, bool, file, type FlagGroup, int, int32Max, refused } from '@tandem/cli/flags';

export const serviceController: FlagGroup = {
  title: 'Service load-balancer controller',
  flags: [
    {
      name: 'concurrent-service-syncs',
      type: int({ min: 1, max: int32Max }),
      byDefault: '1',
      support: accepted('Tandem has no service-lb-controller'),
      help: 'Number of Services processed in parallel.',
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
      support: refused(
        'Tandem has no second Lease. Switch off in kube-controller-manager what Tandem is to do (--cloud-provider=external, --allocate-node-cidrs=false), on all replicas, then start Tandem without this flag',
        'false',
      ),
      help: 'Move controllers between two managers with a second Lease.',
    },
    {
      name: 'leader-migration-config',
      type: file,
      support: refused('Tandem has no leader migration. Remove the flag', ''),
      help: 'Configuration file for leader migration.',
    },
  ],
};
