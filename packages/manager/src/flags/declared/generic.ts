/** Upstream's generic flags; those that belong together have files of their own beside this one. */
import {
  accepted,
  type AnyFlag,
  bool,
  type DefaultedFlag,
  duration,
  file,
  type Flag,
  honoured,
  optionalText,
  texts,
} from '@tandem/cli/flags';
import { accountsManifest, ownManifest } from '../../access/index.ts';
import type { ControllerDeclaration } from '../../controllers/index.ts';
import { missingControllers, type NamedController } from '../select-controllers.ts';
import { featureGates } from '../feature-gates.ts';
import { apiFlags } from './kube-api.ts';
import { leaderElectionFlags } from './leader-election.ts';
import { podNetworkFlags } from './pod-networks.ts';

export const cloudProvider: Flag<string | undefined> = {
  name: 'cloud-provider',
  type: optionalText,
  support: honoured,
  isRequired: true,
  help: 'Cloud provider: aws, azure, static, simulated, or the path or package name of a provider module.',
};

export const cloudConfig: Flag<string | undefined> = {
  name: 'cloud-config',
  type: file,
  support: honoured,
  help: "Configuration file of the provider, in the provider's own format. For aws: cloud.conf. For azure: azure.json. For static: the inventory.",
};

export const clusterName: DefaultedFlag<string | undefined> = {
  name: 'cluster-name',
  type: optionalText,
  byDefault: 'kubernetes',
  support: honoured,
  help: 'Name of the cluster. The manager passes it to the provider, which may use it in names and tags.',
};

/** Its help names the controllers that there are. */
export function controllersFlag(
  declarations: readonly ControllerDeclaration[],
): DefaultedFlag<readonly string[]> {
  const own = enumerate(declarations);
  const missing = enumerate(missingControllers(declarations));
  return {
    name: 'controllers',
    type: texts,
    byDefault: '*',
    support: honoured,
    help: `Controllers to run. "*" enables all, NAME enables one, -NAME disables one. The first entry that names a controller decides. Tandem has ${own}. For ${missing}, the startup log says what to run instead.`,
  };
}

/** `a (b), c (d) and e (f)`. */
function enumerate(controllers: readonly NamedController[]): string {
  const all = controllers.map(({ name, alias }) => `${name} (${alias})`);
  return [all.slice(0, -1).join(', '), ...all.slice(-1)]
    .filter((text) => text !== '')
    .join(' and ');
}

export const useServiceAccountCredentials: DefaultedFlag<boolean> = {
  name: 'use-service-account-credentials',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: `Let the controllers write as service accounts of their own in kube-system, such as node-controller, with tokens that the manager requests. Apply ${accountsManifest} in place of ${ownManifest}. The manager uses its own identity for the Lease and the node cache.`,
};

export function genericFlags(variable: {
  readonly controllers: AnyFlag;
  /** What single controllers declare. */
  readonly ofControllers: readonly AnyFlag[];
}): readonly AnyFlag[] {
  return [
    cloudProvider,
    cloudConfig,
    variable.controllers,
    featureGates,
    ...apiFlags,
    ...variable.ofControllers,
    ...leaderElectionFlags,
    ...podNetworkFlags,
    useServiceAccountCredentials,
    {
      name: 'allow-untagged-cloud',
      type: bool,
      byDefault: 'false',
      isDeprecated: true,
      support: accepted('Tandem matches each node to its own instance and ignores cluster tags'),
      help: "Allow instances without the cluster's tag.",
    },
    clusterName,
    {
      name: 'controller-start-interval',
      type: duration(),
      byDefault: '0s',
      support: accepted(
        'the controllers share one node cache, so starting them together adds no load',
        '0s',
      ),
      help: 'Interval between the starts of controllers.',
    },
    {
      name: 'external-cloud-volume-plugin',
      type: optionalText,
      support: accepted('no controller of Tandem handles volumes', ''),
      help: 'Volume plugin of an external cloud provider.',
    },
    {
      name: 'min-resync-period',
      type: duration(),
      byDefault: '12h',
      support: accepted(
        'Tandem does not resync its cache; it checks every node within --node-status-update-frequency',
      ),
      help: 'Minimum interval between resyncs of the node cache.',
    },
    {
      name: 'node-sync-period',
      type: duration(),
      byDefault: '0s',
      isDeprecated: true,
      support: accepted('upstream ignores it too; use --node-status-update-frequency'),
      help: 'Interval between node syncs.',
    },
  ];
}
