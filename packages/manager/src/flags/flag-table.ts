/**
 * All flags, in the groups and the order in which `--help` shows them. A controller names the group of its own flags: an
 * existing group, or a new one.
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
  /** Those that are known to the parser: the flags of the groups and those that upstream has removed. */
  readonly known: readonly AnyFlag[];
  /** `--controllers`, which is another flag for another list of controllers. */
  readonly controllers: DefaultedFlag<readonly string[]>;
}

export function flagTable(declarations: readonly ControllerDeclaration[]): FlagTable {
  const declared = declarations.flatMap(({ flags }) => flags);
  const of = (title: string): AnyFlag[] =>
    declared.filter((group) => group.title === title).flatMap(({ flags }) => flags);
  const ofControllers = controllersFlag(declarations);
  const shared: FlagGroup[] = [
    { title: 'Tandem', flags: [...tandemFlags, ...of('Tandem')] },
    {
      title: 'Generic',
      flags: [
        ...cloudFlags,
        ofControllers,
        featureGates,
        ...apiRequestFlags,
        ...of('Generic'),
        ...leaderElectionFlags,
        clusterCidr,
        useServiceAccountCredentials,
        ...ineffectiveFlags,
      ],
    },
    { title: 'Misc', flags: [...apiAddressFlags, ...of('Misc')] },
  ];
  const sharedTitles = new Set(shared.map(({ title }) => title));
  const groups = [
    ...shared,
    ...declared.filter(({ title }) => !sharedTitles.has(title)),
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
