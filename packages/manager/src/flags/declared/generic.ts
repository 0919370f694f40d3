/** Upstream's generic flags; those that belong together have files of their own beside this one. */
import { accepted, type DefaultedFlag, type Flag, type FlagGroup, honoured } from '../flag.ts';
import { bool, duration, file, optionalText, texts } from '../values/index.ts';
import { featureGates } from './feature-gates-flag.ts';
import { apiFlags } from './kube-api.ts';
import { leaderElectionFlags } from './leader-election.ts';
import { podNetworkFlags } from './pod-networks.ts';

export const cloudProvider: Flag<string | undefined> = {
  name: 'cloud-provider',
  type: optionalText,
  standing: honoured,
  isRequired: true,
  help: 'The cloud whose nodes are managed: static or simulated, or the path or package name of a module that implements a provider.',
};

export const cloudConfig: Flag<string | undefined> = {
  name: 'cloud-config',
  type: file,
  standing: honoured,
  help: 'The file of the provider, in the format that its ecosystem has; for static it is the inventory.',
};

export const controllers: DefaultedFlag<readonly string[]> = {
  name: 'controllers',
  type: texts,
  byDefault: '*',
  standing: honoured,
  help: 'The controllers to run: "*" for all, NAME for one, -NAME for all but one; the first entry that names a controller decides. Tandem has cloud-node-controller (cloud-node) and cloud-node-lifecycle-controller (cloud-node-lifecycle); it knows service-lb-controller (service), node-route-controller (route) and node-ipam-controller (nodeipam) by name and says at the start what to do about them.',
};

export const nodeMonitorPeriod: DefaultedFlag<number> = {
  name: 'node-monitor-period',
  type: duration({ minMs: 1000 }),
  byDefault: '5s',
  standing: honoured,
  help: 'The time between two looks of cloud-node-lifecycle-controller at the nodes that are not Ready.',
};

export const useServiceAccountCredentials: DefaultedFlag<boolean> = {
  name: 'use-service-account-credentials',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: "Let the controllers write as the service account kube-system/node-controller, by tokens that the manager asks for (manifests/controller-account.yaml has the rights). The Lease and the cache of nodes stay with the manager's own identity.",
};

export const generic: FlagGroup = {
  title: 'Generic',
  flags: [
    cloudProvider,
    cloudConfig,
    controllers,
    featureGates,
    ...apiFlags,
    nodeMonitorPeriod,
    ...leaderElectionFlags,
    ...podNetworkFlags,
    useServiceAccountCredentials,
    {
      name: 'allow-untagged-cloud',
      type: bool,
      byDefault: 'false',
      isDeprecated: true,
      standing: accepted(
        "nothing is looked up by a cluster's tag: a node is matched with its own instance",
      ),
      help: "Whether instances may lack the cluster's tag.",
    },
    {
      name: 'cluster-name',
      type: optionalText,
      byDefault: 'kubernetes',
      standing: accepted("nothing that Tandem makes in the cloud carries the cluster's name"),
      help: 'The name of the cluster, which upstream puts into the names of load balancers and routes.',
    },
    {
      name: 'controller-start-interval',
      type: duration(),
      byDefault: '0s',
      standing: accepted(
        'the controllers share one cache of nodes, so that starting them together costs nothing',
        '0s',
      ),
      help: 'The time between the starts of two controllers.',
    },
    {
      name: 'external-cloud-volume-plugin',
      type: optionalText,
      standing: accepted('no cloud controller works with volumes', ''),
      help: 'The volume plugin of an external cloud provider.',
    },
    {
      name: 'min-resync-period',
      type: duration(),
      byDefault: '12h',
      standing: accepted(
        'the cache is never replayed: every node is looked at again within --node-status-update-frequency',
      ),
      help: 'The least time between two replays of a cache.',
    },
    {
      name: 'node-sync-period',
      type: duration(),
      byDefault: '0s',
      isDeprecated: true,
      standing: accepted(
        'upstream ignores it as well: --node-status-update-frequency is what counts',
      ),
      help: 'Does nothing.',
    },
  ],
};
