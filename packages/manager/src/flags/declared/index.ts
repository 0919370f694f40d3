/** All flags, in the groups and the order in which `--help` shows them. */
import type { AnyFlag, FlagGroup } from '../flag.ts';
import { authentication, authorization } from './access.ts';
import {
  cloudNodeController,
  cloudNodeLifecycleController,
  leaderMigration,
  nodeStatusUpdateFrequency,
  serviceController,
} from './controllers.ts';
import { generic } from './generic.ts';
import { serverFlags } from './kube-api.ts';
import { logFlags } from './log.ts';
import { nodeIpam } from './pod-networks.ts';
import { programFlags } from './program.ts';
import { removedFlags } from './removed.ts';
import { debugging, secureServing } from './serving.ts';
import { tandem } from './tandem.ts';
import { webhook, webhookServing } from './webhooks.ts';

export const flagGroups: readonly FlagGroup[] = [
  tandem,
  generic,
  { title: 'Misc', flags: [...serverFlags, nodeStatusUpdateFrequency] },
  cloudNodeController,
  cloudNodeLifecycleController,
  serviceController,
  nodeIpam,
  secureServing,
  authentication,
  authorization,
  debugging,
  leaderMigration,
  webhook,
  webhookServing,
  { title: 'Global', flags: [...logFlags, ...programFlags] },
];

/** Those that are known to the parser: the flags above and those that upstream has removed. */
export const knownFlags: readonly AnyFlag[] = [
  ...flagGroups.flatMap(({ flags }) => flags),
  ...removedFlags,
];
