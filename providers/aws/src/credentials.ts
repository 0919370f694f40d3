/**
 * Whose credentials EC2 sees: those of the SDK's default chain (environment, files, IRSA, Pod Identity,
 * instance), or of the role that the configuration names, which is assumed with them.
 */
import type { EC2ClientConfig } from '@aws-sdk/client-ec2';
import { fromTemporaryCredentials } from '@aws-sdk/credential-providers';
import type { Environment } from '@tandem/runtime';

type Credentials = Pick<EC2ClientConfig, 'credentials'>;

/** What CloudTrail shows beside the role. */
const sessionName = 'tandem-cloud-controller-manager';

export function credentialsOf(options: {
  readonly roleARN: string | undefined;
  readonly region: string;
  readonly environment: Environment;
}): Credentials {
  const { roleARN, region, environment } = options;
  const own = keysOf(environment);
  if (roleARN === undefined) return own;
  const endpoint = environment['AWS_ENDPOINT_URL_STS'] ?? environment['AWS_ENDPOINT_URL'];
  return {
    credentials: fromTemporaryCredentials({
      params: { RoleArn: roleARN, RoleSessionName: sessionName },
      clientConfig: { region, ...own, ...(endpoint && { endpoint }) },
    }),
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
