/** Finds the region: in the configuration, else the environment, else the metadata of the instance we run on. */
import { printable } from '@tandem/core/node-address';
import type { Environment } from '@tandem/runtime';
import { AWSError } from './failure.ts';
import type { InstanceMetadata } from './instance-metadata.ts';

export async function findRegion(options: {
  readonly configured: string | undefined;
  readonly environment: Environment;
  readonly metadata: InstanceMetadata;
  readonly signal: AbortSignal;
}): Promise<string> {
  const { configured, environment, metadata, signal } = options;
  const known = configured || environment['AWS_REGION'] || environment['AWS_DEFAULT_REGION'];
  if (known) return known;
  try {
    return await metadata.read('placement/region', signal);
  } catch (err) {
    signal.throwIfAborted();
    const reason = err instanceof Error ? printable(err.message, 300) : 'unknown reason';
    const message = `The region of AWS is not known. Set Region in --cloud-config, or AWS_REGION. ${reason}`;
    throw new AWSError('AWSRegionUnknown', message, { retry: 'never' });
  }
}
