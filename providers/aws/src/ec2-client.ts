/**
 * The SDK's client of EC2. The SDK finds credentials, FIPS and dual-stack endpoints by its own rules, which
 * read the process environment; what stands in the environment that we were given goes before. A proxy it
 * does not find: Node's own agents do.
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { EC2Client, type EC2ClientConfig } from '@aws-sdk/client-ec2';
import type { Environment } from '@tandem/runtime';
import type { ServiceOverride } from './config/index.ts';

const connectionTimeoutMs = 5_000;

export function createClient(options: {
  readonly region: string;
  readonly override: ServiceOverride | undefined;
  readonly environment: Environment;
}): EC2Client {
  const { region, override, environment } = options;
  const endpoint =
    override?.url ?? environment['AWS_ENDPOINT_URL_EC2'] ?? environment['AWS_ENDPOINT_URL'];
  const agent = { keepAlive: true, proxyEnv: { ...environment } };
  return new EC2Client({
    // With an endpoint of its own, the region does no more than sign.
    region: override?.signingRegion ?? region,
    ...(endpoint && { endpoint }),
    ...credentialsOf(environment),
    // The layers around the plug ask again, on their clock and with one back-off for all look-ups.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
  });
}

/** The first of the SDK's default chain; the rest of it follows where these are not given. */
function credentialsOf(environment: Environment): Pick<EC2ClientConfig, 'credentials'> {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_PROFILE: profile,
  } = environment;
  // A profile goes before keys, as in the SDK.
  if (profile || !accessKeyId || !secretAccessKey) return {};
  return { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } };
}
