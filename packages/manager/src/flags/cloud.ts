/** The flags of the cloud: the provider, its configuration file, and facts about the cluster. */
import {
  type AnyFlag,
  echoMax,
  file,
  type GivenFlags,
  optionalText,
  suggestion,
} from '@tandem/cli/flags';
import { enumerate, quote } from '@tandem/core/node-address';
import { guidePath, ownProviders, providerSourceOf } from '@tandem/provider/module';
import type { CloudSettings } from '../settings/index.ts';

const flags = {
  provider: {
    name: 'cloud-provider',
    type: optionalText,
    isRequired: true as const,
    help: 'Cloud provider: aws, azure, static, simulated, or the path or package name of a provider module.',
  },
  config: {
    name: 'cloud-config',
    type: file,
    help: "Configuration file of the provider, in the provider's own format. For aws: cloud.conf. For azure: azure.json. For static: the inventory.",
  },
  clusterName: {
    name: 'cluster-name',
    type: optionalText,
    byDefault: 'kubernetes',
    help: 'Name of the cluster. The manager passes it to the provider, which may use it in names and tags.',
  },
};

export const cloudFlags: readonly AnyFlag[] = Object.values(flags);

/** The value of the kubelet's flag with the same name. It is not a cloud. */
const kubeletsWord = 'external';

/** Reads everything but the ranges of pods, which also come from the file of `--config`. */
export function readCloud(
  given: GivenFlags,
  problems: string[],
): Omit<CloudSettings, 'clusterCIDRs'> {
  const provider = given.find(flags.provider);
  const choices = `${ownProviders.join(', ')}, or the path or package name of a provider module`;
  if (provider === undefined) problems.push(`--cloud-provider is required: ${choices}`);
  if (provider === kubeletsWord) {
    problems.push(
      `--cloud-provider external is a kubelet setting. Name the cloud here: ${choices}`,
    );
  }
  return {
    provider: provider ?? '',
    configPath: given.find(flags.config),
    // An empty name counts as none.
    clusterName: given.of(flags.clusterName) ?? flags.clusterName.byDefault,
  };
}

/** Returns whether `import()` would find a module under this specifier. */
export type HasModule = (specifier: string) => boolean;

/**
 * Returns what is wrong with the value of `--cloud-provider` without loading anything. `readCloud` reports an empty value
 * and `external`.
 */
export function providerProblem(text: string, hasModule: HasModule): string | undefined {
  if (text === '' || text === kubeletsWord) return undefined;
  const source = providerSourceOf(text);
  if (source.kind === 'own' || hasModule(source.specifier)) return undefined;
  const given = `--cloud-provider ${quote(text, echoMax)}`;
  if (source.specifier !== text) return `${given} is not a file: ${available}`;
  const meant = suggestion(text, ownProviders);
  const advice = meant === undefined ? available : `did you mean ${meant}? If not, ${available}`;
  return `${given} is not available in this version, and no package of that name is installed: ${advice}`;
}

const available = `this version has ${enumerate([...ownProviders], 200)}; or give the path or package name of your own module (${guidePath})`;
