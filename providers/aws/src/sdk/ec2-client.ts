/**
 * Makes the SDK's client of EC2. The SDK finds credentials in the process environment; values in the environment that
 * the manager passed in take precedence. The SDK does not find a proxy, so this file sets one. The clients that the SDK
 * makes for credentials, such as the STS client, use the same connections and deadlines.
 */
import { EC2Client } from '@aws-sdk/client-ec2';
import { createAgents } from '@tandem/provider/calls';
import { type Clock, type Environment, fieldOf } from '@tandem/runtime';
import type { ServiceOverride } from '../config/index.ts';
import { endpointOf } from '../endpoint.ts';
import { AWSError } from '../failure.ts';
import { credentialsOf } from './credentials.ts';
import { EC2Refusal } from './refusal.ts';

const connectionTimeoutMs = 5_000;

/** Calls and credentials have shorter deadlines of their own. This ends requests that nothing waits for. */
const requestTimeoutMs = 15_000;

export interface ClientOptions {
  readonly region: string;
  readonly override: ServiceOverride | undefined;
  readonly roleARN: string | undefined;
  readonly sourceARN: string | undefined;
  readonly environment: Environment;
}

export function createClient(
  { region, override, roleARN, sourceARN, environment }: ClientOptions,
  clock: Clock,
): EC2Client {
  const endpoint = override?.url ?? endpointOf('EC2', environment);
  const { http, https } = createAgents(environment);
  const client = new EC2Client({
    // With a custom endpoint, the region only affects the signature.
    region: override?.signingRegion ?? region,
    ...(endpoint && { endpoint }),
    ...switchesOf(environment),
    credentials: credentialsOf({ roleARN, sourceARN, region, environment, clock }),
    // The layers around the plug retry, on their own clock and with one back-off for all look-ups.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Without this, the SDK only warns.
      throwOnRequestTimeout: true,
      httpAgent: http,
      httpsAgent: https,
    },
  });
  // The SDK's logger formats every answer, which takes a sixth of the time of parsing it, and Tandem logs calls itself.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Chooses FIPS or dual-stack endpoints. If a variable is not set, the SDK also looks in its files. */
function switchesOf(environment: Environment): {
  useFipsEndpoint?: boolean;
  useDualstackEndpoint?: boolean;
} {
  const fips = switchOf('AWS_USE_FIPS_ENDPOINT', environment);
  const dualStack = switchOf('AWS_USE_DUALSTACK_ENDPOINT', environment);
  return {
    ...(fips !== undefined && { useFipsEndpoint: fips }),
    ...(dualStack !== undefined && { useDualstackEndpoint: dualStack }),
  };
}

/** The SDK would ignore any other spelling, also when it calls STS, and use the usual endpoints. */
function switchOf(name: string, environment: Environment): boolean | undefined {
  const text = environment[name];
  if (!text) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  const message = `${name} must be true or false, in lower case`;
  throw new AWSError('AWSConfigInvalid', message, { retry: 'never' });
}

/** Tells the date of every answer, refusals included, and how long the answer took. */
export function noteDates(
  client: EC2Client,
  clock: Clock,
  onDate: (date: string, tookMs: number) => void,
): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      const begunAtMs = clock.monotonic();
      const result = await next(request);
      const date = fieldOf(fieldOf(result.response, 'headers'), 'date');
      if (typeof date === 'string') onDate(date, clock.monotonic() - begunAtMs);
      return result;
    },
    // This runs next to the socket: in outer middleware, a refusal is already an exception.
    { step: 'deserialize', priority: 'low', name: 'noteDates' },
  );
}

/**
 * Fails a write that something on the way answered in EC2's place. The SDK reads nothing of such an answer, so that it
 * takes any page for a success. The callers notice the page themselves where an answer is read.
 */
export function requireXmlOfWrites(client: EC2Client): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (request) => {
        const result = await next(request);
        const httpStatus = fieldOf(result.response, 'statusCode');
        if (typeof httpStatus !== 'number' || httpStatus >= 300) return result;
        const type = fieldOf(fieldOf(result.response, 'headers'), 'content-type');
        const isPage = typeof type === 'string' && !type.includes('xml');
        if (!isPage || commandName.startsWith('Describe')) return result;
        const message = 'Check the endpoint and the proxy';
        throw new EC2Refusal({ ec2Code: 'not an answer of EC2', message, httpStatus });
      },
    { step: 'deserialize', priority: 'low', name: 'requireXmlOfWrites' },
  );
}
