/**
 * All flags, in the groups and the order of `--help`. The flags of each controller are in their own group, wherever
 * upstream shows them.
 */
import type { AnyFlag, DefaultedFlag, FlagGroup } from '@tandem/cli/flags';
import { servingFlags } from '@tandem/serving';
import { type ControllerDeclaration, controllers } from '../controllers/index.ts';
import { clusterCidr } from '../pod-cidrs/flags.ts';
import { cloudFlags } from './cloud.ts';
import { controllersFlag } from './controllers.ts';
import { featureGates } from './feature-gates.ts';
import { apiAddressFlags, apiRequestFlags, useServiceAccountCredentials } from './kube-api.ts';
import { leaderElectionFlags } from './leader-election.ts';
import { logFlags } from './log.ts';
import { programFlags } from './program.ts';
import { tandemFlags } from './tandem.ts';
import {
  ineffectiveFlags,
  leaderMigration,
  removedFlags,
  serviceController,
  webhook,
  webhookServing,
} from './unsupported.ts';

export interface FlagTable {
  readonly groups: readonly FlagGroup[];
  /** All flags that the parser knows: those of the groups and those that upstream has removed. */
  readonly known: readonly AnyFlag[];
  /** `--controllers`, whose help and values depend on the list of controllers. */
  readonly controllers: DefaultedFlag<readonly string[]>;
}

export function flagTable(declarations: readonly ControllerDeclaration[]): FlagTable {
  const ofControllers = controllersFlag(declarations);
  const groups = [
    { title: 'Tandem', flags: tandemFlags },
    {
      title: 'Generic',
      flags: [
        ...cloudFlags,
        ofControllers,
        featureGates,
        ...apiRequestFlags,
        ...leaderElectionFlags,
        clusterCidr,
        useServiceAccountCredentials,
        ...ineffectiveFlags,
      ],
    },
    { title: 'Misc', flags: apiAddressFlags },
    ...declarations.flatMap(({ flags }) => flags),
    serviceController,
    ...servingFlags,
    leaderMigration,
    webhook,
    webhookServing,
    { title: 'Global', flags: [...logFlags, ...programFlags] },
  ];
  const known = [...groups.flatMap(({ flags }) => flags), ...removedFlags];
  return { groups, known, controllers: ofControllers };
}

const shippedTable = flagTable(controllers);

export const flagGroups: readonly FlagGroup[] = shippedTable.groups;
export const knownFlags: readonly AnyFlag[] = shippedTable.known;
