/**
 * All flags, in the groups and the order in which `--help` shows them. A controller names the group of its own flags: an
 * existing group, or a new one.
 */
import type { AnyFlag, DefaultedFlag, FlagGroup } from '@tandem/cli/flags';
import { type ControllerDeclaration, controllers } from '../../controllers/index.ts';
import { authentication, authorization } from './access.ts';
import { leaderMigration, serviceController } from './controllers.ts';
import { controllersFlag, genericFlags } from './generic.ts';
import { serverFlags } from './kube-api.ts';
import { logFlags } from './log.ts';
import { programFlags } from './program.ts';
import { removedFlags } from './removed.ts';
import { debugging, secureServing } from './serving.ts';
import { tandemFlags } from './tandem.ts';
import { webhook, webhookServing } from './webhooks.ts';

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
  const controllersOf = controllersFlag(declarations);
  const generic = genericFlags({
    controllers: controllersOf,
    ofControllers: of('Generic'),
  });
  const shared: FlagGroup[] = [
    { title: 'Tandem', flags: [...tandemFlags, ...of('Tandem')] },
    { title: 'Generic', flags: generic },
    { title: 'Misc', flags: [...serverFlags, ...of('Misc')] },
  ];
  const sharedTitles = new Set(shared.map(({ title }) => title));
  const groups = [
    ...shared,
    ...declared.filter(({ title }) => !sharedTitles.has(title)),
    serviceController,
    secureServing,
    authentication,
    authorization,
    debugging,
    leaderMigration,
    webhook,
    webhookServing,
    { title: 'Global', flags: [...logFlags, ...programFlags] },
  ];
  const known = [...groups.flatMap(({ flags }) => flags), ...removedFlags];
  return { groups, known, controllers: controllersOf };
}

const shippedTable = flagTable(controllers);

export const flagGroups: readonly FlagGroup[] = shippedTable.groups;
export const knownFlags: readonly AnyFlag[] = shippedTable.known;
