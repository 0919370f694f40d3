/**
 * Reads the endpoint of a service from the SDK's variables: its own one counts before that of all services. Messages do
 * not quote the URL, because it may contain a password.
 */
import type { Environment } from '@tandem/runtime';
import { AWSError } from './failure.ts';

export function endpointOf(service: 'EC2' | 'STS', environment: Environment): string | undefined {
  const names = [`AWS_ENDPOINT_URL_${service}`, 'AWS_ENDPOINT_URL'];
  const name = names.find((one) => environment[one]);
  if (name === undefined) return undefined;
  const url = environment[name] ?? '';
  if (isHttpUrl(url)) return url;
  throw new AWSError('AWSConfigInvalid', `${name} is not an http or https URL`, { retry: 'never' });
}

export function isHttpUrl(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}
