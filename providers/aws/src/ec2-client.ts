/**
 * The SDK's client of EC2. The SDK finds credentials by its own rules, which read the process environment; what
 * stands in the environment that we were given goes before. A proxy it does not find by itself. The clients
 * that it makes for credentials, such as that of STS, have the same connections and deadlines.
 */
import { EC2Client } from '@aws-sdk/client-ec2';
import { type ClockSkew, createAgents, fieldOf } from '@tandem/provider/calls';
import type { Clock, Environment } from '@tandem/runtime';
import type { ServiceOverride } from './config/index.ts';
import { credentialsOf } from './credentials.ts';
import { readInTurns } from './read-in-turns.ts';

const connectionTimeoutMs = 5_000;

/** For the SDK's calls for credentials, which others wait for. Our own calls have a shorter one. */
const requestTimeoutMs = 15_000;

export interface ClientOptions {
  readonly region: string;
  readonly override: ServiceOverride | undefined;
  readonly roleARN: string | undefined;
  readonly sourceARN: string | undefined;
  readonly environment: Environment;
}

export function createClient({
  region,
  override,
  roleARN,
  sourceARN,
  environment,
}: ClientOptions): EC2Client {
  const endpoint =
    override?.url ?? environment['AWS_ENDPOINT_URL_EC2'] ?? environment['AWS_ENDPOINT_URL'];
  const { http, https } = createAgents(environment);
  const client = new EC2Client({
    // With an endpoint of its own, the region does no more than sign.
    region: override?.signingRegion ?? region,
    ...(endpoint && { endpoint }),
    ...switchesOf(environment),
    ...credentialsOf({ roleARN, sourceARN, region, environment }),
    // The layers around the plug ask again, on their clock and with one back-off for all look-ups.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Else it only warns.
      throwOnRequestTimeout: true,
      httpAgent: http,
      httpsAgent: https,
    },
  });
  // It prepares every answer for the SDK's log, a sixth of the time of reading it, and we have our own.
  client.middlewareStack.remove('loggerMiddleware');
  readInTurns(client);
  return client;
}

/** Which kind of endpoint. The SDK finds out by itself, from its files too, where a variable is not set. */
function switchesOf(environment: Environment): {
  useFipsEndpoint?: boolean;
  useDualstackEndpoint?: boolean;
} {
  const fips = switchOf(environment['AWS_USE_FIPS_ENDPOINT']);
  const dualStack = switchOf(environment['AWS_USE_DUALSTACK_ENDPOINT']);
  return {
    ...(fips !== undefined && { useFipsEndpoint: fips }),
    ...(dualStack !== undefined && { useDualstackEndpoint: dualStack }),
  };
}

function switchOf(text: string | undefined): boolean | undefined {
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** Compares the clock with the date of every answer, of refusals too. */
export function noteDates(client: EC2Client, clock: Clock, skew: ClockSkew): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      const begunAtMs = clock.now();
      const result = await next(request);
      const date = fieldOf(fieldOf(result.response, 'headers'), 'date');
      if (typeof date === 'string') skew.note(date, begunAtMs);
      return result;
    },
    // Next to the socket: further out, a refusal is an exception already.
    { step: 'deserialize', priority: 'low', name: 'noteDates' },
  );
}
