/**
 * Whose credentials EC2 sees: those of the SDK's default chain (environment, files, IRSA, Pod Identity,
 * instance), or of the role that the configuration names, which is assumed with them. `SourceARN` goes along in
 * headers, so that a role that many clusters assume can tell them apart (the confused deputy).
 */
import type { EC2ClientConfig } from '@aws-sdk/client-ec2';
import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import { fieldOf } from '@tandem/provider/calls';
import type { Environment } from '@tandem/runtime';
import { accountOf } from './config/index.ts';

type Credentials = Pick<EC2ClientConfig, 'credentials'>;

/** What CloudTrail shows beside the role. */
const sessionName = 'tandem-cloud-controller-manager';

export interface CredentialsOptions {
  readonly roleARN: string | undefined;
  readonly sourceARN: string | undefined;
  readonly region: string;
  readonly environment: Environment;
}

export function credentialsOf(options: CredentialsOptions): Credentials {
  const { roleARN, sourceARN, region, environment } = options;
  const own = keysOf(environment);
  if (roleARN === undefined) return own;
  const endpoint = environment['AWS_ENDPOINT_URL_STS'] ?? environment['AWS_ENDPOINT_URL'];
  return {
    credentials: fromTemporaryCredentials({
      params: { RoleArn: roleARN, RoleSessionName: sessionName },
      clientConfig: { region, ...own, ...(endpoint && { endpoint }) },
      ...(sourceARN && { clientPlugins: [sourceHeaders(sourceARN)] }),
    }),
  };
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
        // Before the request is signed: STS trusts no header that is not.
        { step: 'build', name: 'sourceHeaders' },
      );
    },
  };
}

/** The first of the default chain; the SDK goes through the rest of it where these are not given. */
function keysOf(environment: Environment): Credentials {
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
