/**
 * From the words of a command line to settings, or to everything that is wrong with them at once. What the
 * file of `--config` says is joined later (`join-configuration.ts`), so that its problems and those of the
 * flags are told together.
 */
import type { Gates } from '@tandem/core/node-address';
import { findTimingProblems } from '@tandem/kube/election';
import { ownProviders } from '@tandem/provider/module';
import { type AnyFlag, GivenFlags, type StartupNote } from '@tandem/cli/flags';
import { type ControllerDeclaration, controllers } from '../controllers/index.ts';
import {
  cloudConfig,
  cloudProvider,
  clusterName,
  useServiceAccountCredentials,
} from './declared/generic.ts';
import { type FlagTable, flagTable } from './declared/index.ts';
import {
  kubeApiBurst,
  kubeApiContentType,
  kubeApiQps,
  kubeconfig,
  master,
} from './declared/kube-api.ts';
import {
  leaderElect,
  leaseDuration,
  leaseName,
  leaseNamespace,
  renewDeadline,
  retryPeriod,
} from './declared/leader-election.ts';
import { levelOfVerbosity, loggingFormat, verbosity } from './declared/log.ts';
import { help, version } from './declared/program.ts';
import { config, dryRun, once, onceTimeout } from './declared/tandem.ts';
import { featureGates, readGates } from './feature-gates.ts';
import { helpText } from './help.ts';
import { selectControllers, type SelectedControllers } from './select-controllers.ts';
import type { ApiSettings, ElectionSettings, ManagerSettings } from '../settings/index.ts';
import { readServing } from './read-serving.ts';

/** All settings but those that the file of `--config` has a part in. */
export interface FlagSettings extends Omit<
  ManagerSettings,
  'addressRules' | 'cloud' | 'controllers' | 'allControllers'
> {
  readonly cloud: Omit<ManagerSettings['cloud'], 'clusterCIDRs'>;
  readonly configFile: string | undefined;
  readonly gates: Gates;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly format: 'text' | 'raw' }
  | RunLine;

export interface RunLine {
  readonly kind: 'run';
  readonly settings: FlagSettings;
  readonly notes: readonly StartupNote[];
  /** Every flag and the text that counts for it. */
  readonly flags: ReadonlyMap<string, string>;
  /** One line each; settings of which any is left must not be run with. */
  readonly problems: readonly string[];
  /** What the controllers read their settings from, once the file of `--config` is read. */
  readonly given: GivenFlags;
  readonly declarations: readonly ControllerDeclaration[];
  readonly selected: Pick<SelectedControllers, 'names' | 'named'>;
}

export function parseCommandLine(
  args: readonly string[],
  declarations: readonly ControllerDeclaration[] = controllers,
): CommandLine {
  const table = flagTable(declarations);
  const flags = new GivenFlags(args, table.known);
  if (flags.of(help)) return { kind: 'help', text: helpText(table.groups) };
  const format = flags.of(version);
  if (format !== 'none') return { kind: 'version', format };
  const problems = flags.problems();
  const gates = readGates(flags.of(featureGates));
  const selected = selectControllers(flags.of(table.controllers), {
    declarations,
  });
  problems.push(...gates.problems, ...selected.problems);
  const notes = [...flags.notes(), ...gates.notes, ...selected.notes];
  const settings: FlagSettings = {
    cloud: {
      provider: requireProvider(flags, problems),
      configPath: flags.find(cloudConfig),
      // An empty name counts as none.
      clusterName: flags.of(clusterName) ?? clusterName.byDefault,
    },
    api: readApi(flags, problems, notes),
    election: readElection(flags, problems),
    logging: { format: flags.of(loggingFormat), level: levelOfVerbosity(flags.of(verbosity)) },
    serving: readServing(flags, problems),
    dryRun: flags.of(dryRun),
    once: readOnce(flags, problems),
    configFile: flags.find(config),
    gates: gates.gates,
  };
  return {
    kind: 'run',
    settings,
    notes,
    flags: flags.effective(shownFlags(table)),
    problems,
    given: flags,
    declarations,
    selected,
  };
}

/** Without those that upstream has removed and those that end the program at once. */
function shownFlags({ groups }: FlagTable): AnyFlag[] {
  return groups.flatMap((group) => group.flags).filter((flag) => flag !== help && flag !== version);
}

/** What kubelet is given where upstream's manager is given the cloud's name. */
const kubeletsWord = 'external';

/** Whether the flag names a cloud at all. */
export function isCloud(provider: string): boolean {
  return provider !== '' && provider !== kubeletsWord;
}

function requireProvider(flags: GivenFlags, problems: string[]): string {
  const provider = flags.find(cloudProvider);
  const choices = `${ownProviders.join(', ')}, or the path or package name of a provider module`;
  if (provider === undefined) problems.push(`--cloud-provider is required: ${choices}`);
  if (provider === kubeletsWord) {
    problems.push(
      `--cloud-provider external is a kubelet setting. Name the cloud here: ${choices}`,
    );
  }
  return provider ?? '';
}

function readOnce(flags: GivenFlags, problems: string[]): ManagerSettings['once'] {
  if (!flags.of(once)) {
    if (flags.isGiven(onceTimeout)) problems.push('--once-timeout requires --once');
    return undefined;
  }
  if (!flags.of(dryRun)) {
    problems.push('--once requires --dry-run: a manager that writes keeps running');
  }
  return { limitMs: flags.of(onceTimeout) };
}

function readApi(flags: GivenFlags, problems: string[], notes: StartupNote[]): ApiSettings {
  const perSecond = flags.find(kubeApiQps);
  if (perSecond === 0) {
    problems.push(
      '--kube-api-qps 0 would block every request. Remove the flag for no limit, or use a number above 0',
    );
  }
  if (perSecond === undefined && flags.isGiven(kubeApiBurst)) {
    notes.push({
      level: 'info',
      message: 'Flag has no effect',
      fields: {
        flag: `--${kubeApiBurst.name}`,
        reason: 'without --kube-api-qps there is no limit to exceed',
      },
    });
  }
  return {
    kubeconfig: flags.find(kubeconfig),
    master: flags.find(master),
    rate:
      perSecond === undefined || perSecond <= 0
        ? undefined
        : { perSecond, burst: flags.of(kubeApiBurst) },
    encoding: flags.of(kubeApiContentType) === 'application/json' ? 'json' : 'protobuf',
    useControllerAccounts: flags.of(useServiceAccountCredentials),
  };
}

function readElection(flags: GivenFlags, problems: string[]): ElectionSettings {
  const timings = {
    leaseDurationMs: flags.of(leaseDuration),
    renewDeadlineMs: flags.of(renewDeadline),
    retryPeriodMs: flags.of(retryPeriod),
  };
  const isEnabled = flags.of(leaderElect);
  if (isEnabled) {
    problems.push(...findTimingProblems(timings).map((problem) => `--leader-elect-*: ${problem}`));
  }
  const lease = { namespace: flags.of(leaseNamespace), name: flags.of(leaseName) };
  return { isEnabled, timings, lease };
}
