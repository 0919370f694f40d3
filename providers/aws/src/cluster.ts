/**
 * Finds out which cluster the nodes belong to. Instance names are not unique in an account, so a node without a
 * providerID only ever gets an instance that has its cluster's tag. The cluster id comes from the configuration, or from
 * the tags of the instance that the manager runs on.
 */
import type { InstanceApi } from './instance-api.ts';
import { AWSError, notFoundCode } from './failure.ts';
import type { InstanceMetadata } from './instance-metadata.ts';
import type { Instance } from './sdk/actions.ts';

const tagPrefix = 'kubernetes.io/cluster/';

/** The value of this tag is the cluster id. */
export const legacyTag = 'KubernetesCluster';

export function tagKeyOf(clusterId: string): string {
  return `${tagPrefix}${clusterId}`;
}

/** Whether a tag with this key says which cluster something belongs to. */
export function namesCluster(key: string): boolean {
  return key.startsWith(tagPrefix) || key === legacyTag;
}

/** Returns the ids of the clusters whose tags an instance or a table has. */
export function clusterIdsOf({ Tags = [] }: Pick<Instance, 'Tags'>): readonly string[] {
  const ids = Tags.flatMap(({ Key = '', Value = '' }) => {
    if (Key.startsWith(tagPrefix)) return [Key.slice(tagPrefix.length)];
    return Key === legacyTag ? [Value] : [];
  });
  return [...new Set(ids)].filter((id) => id !== '').toSorted((a, b) => a.localeCompare(b));
}

export class Cluster {
  readonly #instances: InstanceApi;
  readonly #metadata: InstanceMetadata;
  #id: string | undefined;

  constructor(options: {
    readonly configuredId: string | undefined;
    readonly instances: InstanceApi;
    readonly metadata: InstanceMetadata;
  }) {
    this.#id = options.configuredId;
    this.#instances = options.instances;
    this.#metadata = options.metadata;
  }

  /** Rejects with an `AWSError` while the id cannot be read. */
  async id(signal: AbortSignal): Promise<string> {
    this.#id ??= await this.#readOwnTags(signal);
    return this.#id;
  }

  async #readOwnTags(signal: AbortSignal): Promise<string> {
    const instanceId = await this.#metadata.read('instance-id', signal).catch((err: unknown) => {
      throw unknownCluster(
        'the instance metadata service, which a pod reaches with a hop limit of 2, did not answer',
        err,
      );
    });
    const [own] = await this.#instances.getByIds([instanceId], signal).catch((err: unknown) => {
      if (!(err instanceof AWSError) || err.ec2Code !== notFoundCode) throw err;
      const whose = `${instanceId}, the instance of the manager, which is in another account or region`;
      throw unknownCluster(`EC2 does not show ${whose}`, err);
    });
    const [id, second] = clusterIdsOf(own ?? {});
    if (id === undefined) throw unknownCluster(`${instanceId} has no ${tagPrefix}<id> tag`);
    if (second === undefined) return id;
    throw unknownCluster(`${instanceId} has the tags of two clusters, ${id} and ${second}`);
  }
}

function unknownCluster(why: string, cause?: unknown): AWSError {
  const message = `The id of the cluster is not known: ${why}. Set KubernetesClusterID in --cloud-config`;
  return new AWSError('AWSClusterUnknown', message, { cause });
}
