/** Translates refusals of EC2 into our own errors. Every message has EC2's own code, because people search for it. */
import { printable } from '@tandem/core/node-address';
import { CallPausedError, isDefiniteRefusal } from '@tandem/provider/calls';
import { DeadlineExceededError } from '@tandem/runtime';
import { AWSError } from './failure.ts';
import { refusalOf } from './sdk/refusal.ts';

export interface FailedCall {
  readonly action: string;
  readonly isWrite: boolean;
  /** How long to send no calls of this action, because EC2 throttles it. */
  readonly restsForMs: number;
  /** A sentence that says how the clock of this machine is wrong. */
  readonly advice: string | undefined;
}

export function failureOf(call: FailedCall, err: unknown): AWSError {
  const { action, isWrite } = call;
  if (isThrottling(err) || err instanceof CallPausedError) return throttlingOf(call, err);
  const effectOfSilence = isWrite ? 'unknown' : 'none';
  if (err instanceof DeadlineExceededError) {
    const text = `${action} of EC2 got no answer within ${err.limitMs / 1_000} s`;
    return new AWSError('EC2CallFailed', text, { effect: effectOfSilence, isTrouble: true });
  }
  const { ec2Code, message, httpStatus } = refusalOf(err);
  if (ec2Code === 'CredentialsProviderError') {
    const where = 'the environment, files, the service account and the role of the instance';
    const hops = 'which a pod reaches with a hop limit of 2';
    const text = `${action} of EC2 needs credentials, and ${where}, ${hops}, have none that work`;
    return new AWSError('EC2AccessRefused', text, { retry: 'never', ec2Code });
  }
  if (httpStatus === 401 || httpStatus === 403 || credentialCodes.test(ec2Code)) {
    const advice = call.advice ?? 'Check the credentials of the manager and their IAM policy';
    const text = `EC2 refuses ${action}: ${ec2Code}. ${advice}`;
    return new AWSError('EC2AccessRefused', text, { retry: 'never', ec2Code });
  }
  const effect = isDefiniteRefusal(httpStatus) ? 'none' : effectOfSilence;
  const isTrouble = httpStatus !== undefined;
  const advice = networkAdvice.find(({ codes }) => codes.test(ec2Code));
  const said = `${action} of EC2 failed: ${ec2Code}: ${printable(message, 200)}`;
  const text = advice === undefined ? said : `${said}. ${advice.text}`;
  return new AWSError('EC2CallFailed', text, { effect, ec2Code, isTrouble });
}

export function isThrottling(err: unknown): boolean {
  return throttlingCodes.test(refusalOf(err).ec2Code);
}

function throttlingOf({ action, restsForMs }: FailedCall, err: unknown): AWSError {
  const ec2Code = err instanceof CallPausedError ? 'RequestLimitExceeded' : refusalOf(err).ec2Code;
  const retry = { afterMs: restsForMs };
  return new AWSError('EC2Throttled', `EC2 throttles ${action}: ${ec2Code}`, { retry, ec2Code });
}

const throttlingCodes = /^(?:RequestLimitExceeded|.*Throttl.*)$/;
/** The message about an unknown host names the endpoint, which contains the region. */
const networkAdvice: readonly { readonly codes: RegExp; readonly text: string }[] = [
  { codes: /^(?:ENOTFOUND|EAI_AGAIN)$/, text: 'Check the region and the name server' },
  {
    codes: /SELF_SIGNED_CERT|^UNABLE_TO_/,
    text: 'Set NODE_EXTRA_CA_CERTS to the authority of the endpoint or proxy',
  },
];
/** Refused credentials that the status does not tell. The last code is that of Node.js for a key that no header can have. */
const credentialCodes = /^(?:RequestExpired|ExpiredToken.*|IncompleteSignature|ERR_INVALID_CHAR)$/;
