/**
 * The SDK's client of EC2. The SDK finds credentials, FIPS and dual-stack endpoints by its own rules, which
 * read the process environment; what stands in the environment that we were given goes before. A proxy it
 * does not find: Node's own agents do.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { EC2Client } from '@aws-sdk/client-ec2';
import type { Environment } from '@tandem/runtime';
import type { ServiceOverride } from './config/index.ts';
import { credentialsOf } from './credentials.ts';

const connectionTimeoutMs = 5_000;

export function createClient(options: {
  readonly region: string;
  readonly override: ServiceOverride | undefined;
  readonly roleARN: string | undefined;
  readonly environment: Environment;
}): EC2Client {
  const { region, override, roleARN, environment } = options;
  const endpoint =
    override?.url ?? environment['AWS_ENDPOINT_URL_EC2'] ?? environment['AWS_ENDPOINT_URL'];
  const agent = { keepAlive: true, proxyEnv: { ...environment } };
  return new EC2Client({
    // With an endpoint of its own, the region does no more than sign.
    region: override?.signingRegion ?? region,
    ...(endpoint && { endpoint }),
    ...credentialsOf({ roleARN, region, environment }),
    // The layers around the plug ask again, on their clock and with one back-off for all look-ups.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
  });
}
