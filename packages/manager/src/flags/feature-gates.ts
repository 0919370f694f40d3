/**
 * The feature gates. Tandem has one of its own. It accepts the gates of a manager of Kubernetes 1.36, so that one setting
 * can serve all components of a cluster, and logs that they have no effect. It refuses any other gate, as upstream does.
 */
import type { Gates } from '@tandem/core/node-address';
import {
  type DefaultedFlag,
  invalid,
  list,
  parseBool,
  type StartupNote,
  suggestion,
  value,
  type ValueType,
} from '@tandem/cli/flags';

interface GateSetting {
  readonly name: string;
  readonly isOn: boolean;
}

const gateSettings: ValueType<readonly GateSetting[]> = list('gates', (text) => {
  const [, name, setting = ''] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
  const isOn = parseBool(setting);
  return name === undefined || isOn.kind === 'invalid'
    ? invalid('is not a feature gate setting: write NAME=true or NAME=false')
    : value({ name, isOn: isOn.value });
});

export const featureGates: DefaultedFlag<readonly GateSetting[]> = {
  name: 'feature-gates',
  type: gateSettings,
  byDefault: '',
  help: 'Comma-separated NAME=true|false pairs. CloudNodeIPs (default true): if false, a node can request a single IP address only, as before KEP-3705. Upstream gates are accepted but have no effect; the startup log lists them.',
};

interface ReadGates {
  readonly gates: Gates;
  readonly problems: readonly string[];
  readonly notes: readonly StartupNote[];
}

/** The last setting of a gate counts. */
export function readGates(settings: readonly GateSetting[]): ReadGates {
  const byName = new Map(settings.map(({ name, isOn }) => [name, isOn]));
  const upstream = [...byName.keys()].filter((name) => upstreamGates.has(name));
  const unknown = [...byName.keys()].filter((name) => name !== ownGate && !upstreamGates.has(name));
  return {
    gates: { CloudNodeIPs: byName.get(ownGate) ?? true },
    problems: unknown.map(unknownGate),
    notes: upstream.map((gate) => ({
      level: 'info',
      message: 'Feature gate has no effect',
      fields: { gate },
    })),
  };
}

const ownGate = 'CloudNodeIPs';

function unknownGate(name: string): string {
  const gone = removedGates.get(name);
  if (gone !== undefined) return `--feature-gates ${name} no longer exists: ${gone}`;
  const near = suggestion(name, [ownGate, ...upstreamGates]);
  const advice = near === undefined ? `Tandem has ${ownGate}` : `did you mean ${near}?`;
  return `--feature-gates ${shortened(name)} is not a feature gate: ${advice}`;
}

function shortened(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}

const removedGates: ReadonlyMap<string, string> = new Map([
  ['CloudDualStackNodeIPs', 'dual-stack node IPs are always on. Remove it'],
  ['StableLoadBalancerNodeSet', 'upstream removed it. Remove it here too'],
]);

/** The gates of cloud-controller-manager 1.36, including those of the generic server library. */
const upstreamGates: ReadonlySet<string> = new Set([
  'AllAlpha',
  'AllBeta',
  'CloudControllerManagerWatchBasedRoutesReconciliation',
  'CloudControllerManagerWebhook',
  'ControllerManagerReleaseLeaderElectionLockOnExit',
  'ComponentFlagz',
  'ComponentStatusz',
  'ContextualLogging',
  'LoggingAlphaOptions',
  'LoggingBetaOptions',
  'APIResponseCompression',
  'APIServerIdentity',
  'APIServerTracing',
  'APIServingWithRoutine',
  'AggregatedDiscoveryRemoveBetaType',
  'AllowParsingUserUIDFromCertAuth',
  'AllowUnsafeMalformedObjectDeletion',
  'AnonymousAuthConfigurableEndpoints',
  'AuthorizeWithSelectors',
  'BtreeWatchCache',
  'CBORServingAndStorage',
  'ConcurrentWatchObjectDecode',
  'ConsistentListFromCache',
  'ConstrainedImpersonation',
  'CoordinatedLeaderElection',
  'DeclarativeValidation',
  'DeclarativeValidationBeta',
  'DeclarativeValidationTakeover',
  'DetectCacheInconsistency',
  'KMSv1',
  'ListFromCacheSnapshot',
  'ManifestBasedAdmissionControlConfig',
  'MutatingAdmissionPolicy',
  'NativeHistograms',
  'OpenAPIEnums',
  'RemoteRequestHeaderUID',
  'ResilientWatchCacheInitialization',
  'RetryGenerateName',
  'SeparateCacheWatchRPC',
  'ShardedListAndWatch',
  'SizeBasedListCostEstimate',
  'StorageVersionAPI',
  'StorageVersionHash',
  'StreamingCollectionEncodingToJSON',
  'StreamingCollectionEncodingToProtobuf',
  'StructuredAuthenticationConfiguration',
  'StructuredAuthenticationConfigurationEgressSelector',
  'StructuredAuthenticationConfigurationJWKSMetrics',
  'TokenRequestServiceAccountUIDValidation',
  'UnauthenticatedHTTP2DOSMitigation',
  'UnknownVersionInteroperabilityProxy',
  'WatchCacheInitializationPostStartHook',
  'WatchList',
]);
