/**
 * Reads the metadata of the instance that the manager runs on, with version 2 of the metadata service only. By default
 * its answers travel one network hop, which does not reach a pod, so errors name the hop limit.
 */
import { MetadataService } from '@aws-sdk/ec2-metadata-service';
import { printable } from '@tandem/core/node-address';
import { type Clock, type Environment, withDeadline } from '@tandem/runtime';

/** The time for the token and the answer together. */
const deadlineMs = 2_000;

export class InstanceMetadata {
  readonly #clock: Clock;
  readonly #environment: Environment;

  constructor(environment: Environment, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** `path` is below `/latest/meta-data/`. */
  async read(path: string, signal: AbortSignal): Promise<string> {
    if (this.#environment['AWS_EC2_METADATA_DISABLED'] === 'true') {
      throw new Error('AWS_EC2_METADATA_DISABLED is true');
    }
    // A new one for each reading: once refused a token, the SDK's client asks for none again.
    const service = new MetadataService({
      endpoint: endpointOf(this.#environment),
      httpOptions: { timeout: deadlineMs },
      ec2MetadataV1Disabled: true,
      retries: 0,
    });
    try {
      const limit = { clock: this.#clock, limitMs: deadlineMs, signal };
      // The SDK adds the leading slash.
      const reading = () => service.request(`latest/meta-data/${path}`, {});
      return (await withDeadline(limit, reading)).trim();
    } catch (err) {
      signal.throwIfAborted();
      const reason = err instanceof Error ? printable(err.message, 200) : 'unknown reason';
      throw new Error(
        `The instance metadata service did not answer: ${reason}. In a pod, the instance needs a ` +
          'hop limit (HttpPutResponseHopLimit) of 2, or the pod the network of its host',
        { cause: err },
      );
    }
  }
}

/** On an IPv6-only subnet, the same variables that the SDK's credentials read select the IPv6 endpoint. */
export function endpointOf(environment: Environment): string {
  const given = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  if (given) return given;
  const mode = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase();
  return mode === 'ipv6' ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254';
}
