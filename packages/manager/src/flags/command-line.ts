/**
 * From the words of a command line to settings, or to everything that is wrong with them at once. What the
 * file of `--config` says is joined later (`read-settings.ts`), so that its problems and those of the flags
 * are told together.
 */
import type { Gates } from '@tandem/core/node-address';
import { findTimingProblems } from '@tandem/kube/election';
import { levelOfVerbosity } from '../verbosity.ts';
import { concurrentNodeSyncs, nodeStatusUpdateFrequency } from './declared/controllers.ts';
import { featureGates } from './declared/feature-gates-flag.ts';
import {
  cloudConfig,
  cloudProvider,
  controllers,
  nodeMonitorPeriod,
  useServiceAccountCredentials,
} from './declared/generic.ts';
import { flagGroups, knownFlags } from './declared/index.ts';
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
import { loggingFormat, verbosity } from './declared/log.ts';
import { configureCloudRoutes } from './declared/pod-networks.ts';
import { help, version } from './declared/program.ts';
import {
  config,
  dryRun,
  nodeDeletionBrake,
  nodeDeletionGrace,
  nodeDeletionMinAge,
  refreshLabels,
} from './declared/tandem.ts';
import { readGates } from './feature-gates.ts';
import { GivenFlags } from './given-flags.ts';
import { helpText } from './help.ts';
import { readArguments } from './read-arguments.ts';
import { selectControllers } from './select-controllers.ts';
import type { StartupNote } from './startup-note.ts';
import type { ApiSettings, ElectionSettings, ManagerSettings } from '../settings/index.ts';
import { readServing } from './read-serving.ts';

/** All settings but those that the file of `--config` has a part in. */
export interface FlagSettings extends Omit<ManagerSettings, 'nodeSettings'> {
  readonly configFile: string | undefined;
  readonly gates: Gates;
  readonly refreshLabels: boolean;
}

export type CommandLine =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'run';
      readonly settings: FlagSettings;
      readonly notes: readonly StartupNote[];
      /** Every flag and the text that counts for it. */
      readonly flags: ReadonlyMap<string, string>;
      /** One line each; settings of which any is left must not be run with. */
      readonly problems: readonly string[];
    };

export function parseCommandLine(args: readonly string[]): CommandLine {
  const read = readArguments(args, knownFlags);
  const flags = new GivenFlags(read);
  if (flags.of(help)) return { kind: 'help', text: helpText() };
  if (flags.of(version)) return { kind: 'version' };
  const problems = [...read.problems, ...flags.problems()];
  const gates = readGates(flags.of(featureGates));
  const selected = selectControllers(flags.of(controllers), {
    configuresRoutes: flags.of(configureCloudRoutes),
  });
  problems.push(...gates.problems, ...selected.problems);
  const notes = [...flags.notes(), ...gates.notes, ...selected.notes];
  const settings: FlagSettings = {
    cloud: {
      provider: requireProvider(flags, problems),
      configPath: flags.find(cloudConfig),
    },
    api: readApi(flags, problems, notes),
    election: readElection(flags, problems),
    logging: { format: flags.of(loggingFormat), level: levelOfVerbosity(flags.of(verbosity)) },
    controllers: selected.controllers,
    nodeController: {
      workers: flags.of(concurrentNodeSyncs),
      refreshPeriodMs: flags.of(nodeStatusUpdateFrequency),
    },
    lifecycle: {
      monitorPeriodMs: flags.of(nodeMonitorPeriod),
      graceMs: flags.of(nodeDeletionGrace),
      minAgeMs: flags.of(nodeDeletionMinAge),
      brake: flags.of(nodeDeletionBrake),
    },
    serving: readServing(flags, problems),
    dryRun: flags.of(dryRun),
    configFile: flags.find(config),
    gates: gates.gates,
    refreshLabels: flags.of(refreshLabels),
  };
  return { kind: 'run', settings, notes, flags: flags.effective(shownFlags), problems };
}

/** Without those that upstream has removed and those that end the program at once. */
const shownFlags = flagGroups
  .flatMap((group) => group.flags)
  .filter((flag) => flag !== help && flag !== version);

function requireProvider(flags: GivenFlags, problems: string[]): string {
  const provider = flags.find(cloudProvider);
  const choices = 'static, simulated, or the path or package of a module';
  if (provider === undefined) problems.push(`--cloud-provider must be given: ${choices}`);
  if (provider === 'external') {
    problems.push(`--cloud-provider external is for kubelet: name the cloud here, ${choices}`);
  }
  return provider ?? '';
}

function readApi(flags: GivenFlags, problems: string[], notes: StartupNote[]): ApiSettings {
  const perSecond = flags.find(kubeApiQps);
  if (perSecond === 0) {
    problems.push(
      '--kube-api-qps 0 would let nothing through: leave the flag out for no limit, or give a number above 0',
    );
  }
  if (perSecond === undefined && flags.isGiven(kubeApiBurst)) {
    notes.push({
      level: 'info',
      message: 'Accepted a flag that nothing depends on',
      fields: {
        flag: `--${kubeApiBurst.name}`,
        reason: 'requests are not limited without --kube-api-qps, so that none has to wait',
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
    controllerAccount: flags.of(useServiceAccountCredentials) ? nodeControllerAccount : undefined,
  };
}

/** Both controllers use it, as upstream's do. */
const nodeControllerAccount = { namespace: 'kube-system', name: 'node-controller' };

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
