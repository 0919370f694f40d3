/**
 * Chooses the credentials for EC2: those of the SDK's default chain (environment, files, IRSA, Pod Identity, instance),
 * or those of the role that the configuration names, which the default credentials assume. STS gets `SourceARN` in
 * headers, so that the trust policy of a role that many clusters share can tell the clusters apart (the confused deputy).
 * Files are read again whenever the SDK asks for credentials, so that repaired files count.
 */
import type { EC2ClientConfig } from '@aws-sdk/client-ec2';
import { fromNodeProviderChain, fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import { type Clock, type Environment, fieldOf } from '@tandem/runtime';
import { accountOf } from '../config/index.ts';
import { endpointOf } from '../endpoint.ts';
import { boundedSource } from './bounded-source.ts';

type Credentials = NonNullable<EC2ClientConfig['credentials']>;
type Source = Extract<Credentials, (properties: never) => unknown>;

/** The session name that CloudTrail shows beside the role. */
const sessionName = 'tandem-cloud-controller-manager';

export interface CredentialsOptions {
  readonly roleARN: string | undefined;
  readonly sourceARN: string | undefined;
  readonly region: string;
  readonly environment: Environment;
  readonly clock: Clock;
}

export function credentialsOf(options: CredentialsOptions): Credentials {
  const { roleARN, sourceARN, region, environment, clock } = options;
  const keys = keysOf(environment);
  const chain = (): Source => fromNodeProviderChain({ ignoreCache: true });
  if (roleARN === undefined) return keys ?? boundedSource(chain, clock);
  const endpoint = endpointOf('STS', environment);
  // A new one for each use: it would keep its first credentials, and adding its plugins a second time fails.
  const assumeRole = (): Source =>
    fromTemporaryCredentials({
      masterCredentials: keys ?? chain(),
      params: { RoleArn: roleARN, RoleSessionName: sessionName },
      clientConfig: { region, ...(endpoint && { endpoint }) },
      ...(sourceARN && { clientPlugins: [sourceHeaders(sourceARN)] }),
    });
  return boundedSource(() => (properties) => assumeRole()(properties), clock);
}

type Plugin = NonNullable<
  NonNullable<Parameters<typeof fromTemporaryCredentials>[0]>['clientPlugins']
>[number];

function sourceHeaders(sourceARN: string): Plugin {
  const headers = {
    'x-amz-source-arn': sourceARN,
    'x-amz-source-account': accountOf(sourceARN) ?? '',
  };
  return {
    applyToStack(stack) {
      stack.add(
        (next) => async (call) => {
          const given = fieldOf(fieldOf(call, 'request'), 'headers');
          if (typeof given === 'object' && given !== null) Object.assign(given, headers);
          return next(call);
        },
        // Added before the request is signed, because STS ignores unsigned headers.
        { step: 'build', name: 'sourceHeaders' },
      );
    },
  };
}

/** Keys from the environment, the first step of the default chain. Undefined if there are none. */
function keysOf(environment: Environment): Exclude<Credentials, Source> | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    AWS_PROFILE: profile,
  } = environment;
  // As in the SDK, a profile takes precedence over keys.
  if (profile || !accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
