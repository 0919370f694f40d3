/**
 * What the manager runs with once flags and configuration are read, checked and joined. Nothing here
 * is text to be parsed again: its readers rely on it.
 */
import type { NodeSettings } from '@tandem/core/node-init';
import type { ElectionTimings, LeaseName } from '@tandem/kube/election';
import type { LogLevel } from '@tandem/runtime';
import type { ServingSettings } from '@tandem/serving';
import { accountsOf } from '../access/index.ts';
import type { ConfiguredController } from '../controllers/declaration.ts';

export interface ManagerSettings {
  readonly cloud: CloudSettings;
  readonly api: ApiSettings;
  readonly election: ElectionSettings;
  readonly logging: LoggingSettings;
  /** The controllers that run. */
  readonly controllers: readonly ConfiguredController[];
  /** All that there are: `/configz` shows the settings of those that do not run too. */
  readonly allControllers: readonly ConfiguredController[];
  readonly addressRules: AddressRules;
  readonly serving: ServingSettings;
  /** Decides everything and writes nothing: no state, no event, no Lease. */
  readonly dryRun: boolean;
  /** Set where a dry run ends by itself, after this time at the latest. */
  readonly once: { readonly limitMs: number } | undefined;
}

/** Which addresses nodes get: from the feature gates and the file of `--config`. */
export type AddressRules = Omit<NodeSettings, 'refreshLabels'>;

export interface CloudSettings {
  /** The value of `--cloud-provider`: a name, a package or a path. */
  readonly provider: string;
  readonly configPath: string | undefined;
  /** `--cluster-name`. */
  readonly clusterName: string;
  /** `--cluster-cidr` and the ranges of `podCIDRPools`, each once in canonical text; may be empty. */
  readonly clusterCIDRs: readonly string[];
}

export interface ApiSettings {
  readonly kubeconfig: string | undefined;
  /** Overrides the address of the server in the kubeconfig. */
  readonly master: string | undefined;
  /** Requests a second that the client keeps to; undefined without a limit. */
  readonly rate: { readonly perSecond: number; readonly burst: number } | undefined;
  readonly encoding: 'protobuf' | 'json';
  /** Whether each controller writes as the service account that it declares. */
  readonly useControllerAccounts: boolean;
}

export interface ElectionSettings {
  readonly isEnabled: boolean;
  readonly timings: ElectionTimings;
  readonly lease: LeaseName;
}

export interface LoggingSettings {
  readonly format: 'json' | 'text';
  readonly level: LogLevel;
}

/**
 * The service accounts that the controllers of these settings work as, each once; undefined where they work
 * as the manager. A dry run writes nothing and has one identity only.
 */
export function controllerAccounts({
  api,
  controllers,
  dryRun,
}: Pick<ManagerSettings, 'api' | 'controllers' | 'dryRun'>): readonly string[] | undefined {
  if (!api.useControllerAccounts || dryRun) return undefined;
  return accountsOf(controllers.map(({ facts }) => facts));
}
