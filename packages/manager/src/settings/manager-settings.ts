/** The settings of the manager, from the checked flags and configuration. */
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
  /** All controllers, including those that do not run, because `/configz` also shows their settings. */
  readonly allControllers: readonly ConfiguredController[];
  readonly addressRules: AddressRules;
  readonly serving: ServingSettings;
  /** Whether the manager makes all decisions but writes nothing: no objects, no events and no Lease. */
  readonly dryRun: boolean;
  /** Set with `--once`: the time limit of the dry run. */
  readonly once: { readonly limitMs: number } | undefined;
}

/** The rules for the addresses of nodes, from the feature gates and the file of `--config`. */
export type AddressRules = Omit<NodeSettings, 'refreshLabels'>;

export interface CloudSettings {
  /** The value of `--cloud-provider`: a name, a package or a path. */
  readonly provider: string;
  readonly configPath: string | undefined;
  /** `--cluster-name`. */
  readonly clusterName: string;
  /** The ranges of `--cluster-cidr` and `podCIDRPools` in canonical text, without duplicates; may be empty. */
  readonly clusterCIDRs: readonly string[];
}

export interface ApiSettings {
  readonly kubeconfig: string | undefined;
  /** Overrides the address of the server in the kubeconfig. */
  readonly master: string | undefined;
  /** The client's rate limit; undefined for no limit. */
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

/** The service accounts of the controllers, each once; undefined if the controllers use the manager's identity. */
export function controllerAccounts({
  api,
  controllers,
  dryRun,
}: Pick<ManagerSettings, 'api' | 'controllers' | 'dryRun'>): readonly string[] | undefined {
  if (!api.useControllerAccounts || dryRun) return undefined;
  return accountsOf(controllers.map(({ facts }) => facts));
}
