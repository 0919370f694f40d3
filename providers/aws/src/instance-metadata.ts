/**
 * The metadata of the instance that the manager runs on. Only version 2 of the service is asked: its answers
 * travel one network hop by default, which does not reach a pod, and a pod is where the manager runs.
 */
import { MetadataService } from '@aws-sdk/ec2-metadata-service';
import { printable } from '@tandem/core/node-address';
import { type Environment, untilAborted } from '@tandem/runtime';

const timeoutMs = 2_000;

export class InstanceMetadata {
  readonly #service: MetadataService | undefined;

  constructor(environment: Environment) {
    if (environment['AWS_EC2_METADATA_DISABLED'] === 'true') return;
    this.#service = new MetadataService({
      endpoint: endpointOf(environment),
      httpOptions: { timeout: timeoutMs },
      ec2MetadataV1Disabled: true,
      retries: 0,
    });
  }

  /** `path` is below `/latest/meta-data/`. */
  async read(path: string, signal: AbortSignal): Promise<string> {
    if (this.#service === undefined) throw new Error('AWS_EC2_METADATA_DISABLED is true');
    try {
      // The SDK puts the slash of the endpoint before it.
      const reading = this.#service.request(`latest/meta-data/${path}`, {});
      return (await untilAborted(signal, reading)).trim();
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

function endpointOf(environment: Environment): string {
  const given = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  if (given) return given;
  const mode = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase();
  return mode === 'ipv6' ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254';
}
