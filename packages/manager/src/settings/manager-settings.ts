/** The settings of the manager, after flags and configuration were read, checked and joined. */
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
  /** Including those that do not run, whose settings `/configz` shows too. */
  readonly allControllers: readonly ConfiguredController[];
  readonly addressRules: AddressRules;
  readonly serving: ServingSettings;
  /** Whether the manager decides everything and writes nothing: no state, no event, no Lease. */
  readonly dryRun: boolean;
  /** Set with `--once`: the longest time that the dry run takes. */
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

/** The service accounts of the controllers, each once; undefined if the controllers use the manager's identity. */
export function controllerAccounts({
  api,
  controllers,
  dryRun,
}: Pick<ManagerSettings, 'api' | 'controllers' | 'dryRun'>): readonly string[] | undefined {
  if (!api.useControllerAccounts || dryRun) return undefined;
  return accountsOf(controllers.map(({ facts }) => facts));
}
