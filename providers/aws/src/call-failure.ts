/**
 * Translates what the SDK throws into our own errors. Every message has EC2's own code, because people search for it.
 * The SDK's error is not kept as the cause: EC2's text about a wrong signature quotes the signed headers, which include
 * the session token.
 */
import { printable } from '@tandem/core/node-address';
import { CallPausedError, isDefiniteRefusal } from '@tandem/provider/calls';
import { DeadlineExceededError, fieldOf } from '@tandem/runtime';
import { AWSError } from './failure.ts';

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
  const { ec2Code, message, httpStatus } = factsOf(err);
  if (ec2Code === 'CredentialsProviderError') {
    const where = 'the environment, files, the service account and the role of the instance';
    const text = `${action} of EC2 needs credentials, and ${where} have none that work`;
    return new AWSError('EC2AccessRefused', text, { retry: 'never', ec2Code });
  }
  if (httpStatus === 401 || httpStatus === 403 || credentialCodes.test(ec2Code)) {
    const advice = call.advice ?? 'Check the credentials of the manager and their IAM policy';
    const text = `EC2 refuses ${action}: ${ec2Code}. ${advice}`;
    return new AWSError('EC2AccessRefused', text, { retry: 'never', ec2Code });
  }
  const effect = isDefiniteRefusal(httpStatus) ? 'none' : effectOfSilence;
  const isTrouble = httpStatus !== undefined && httpStatus >= 500;
  // The message names the endpoint, which contains the region.
  const advice = unknownHostCodes.has(ec2Code) ? '. Check the region and the name server' : '';
  const text = `${action} of EC2 failed: ${ec2Code}: ${printable(message, 200)}${advice}`;
  return new AWSError('EC2CallFailed', text, { effect, ec2Code, isTrouble });
}

export function isThrottling(err: unknown): boolean {
  return throttlingCodes.test(factsOf(err).ec2Code);
}

function throttlingOf({ action, restsForMs }: FailedCall, err: unknown): AWSError {
  const ec2Code = err instanceof CallPausedError ? 'RequestLimitExceeded' : factsOf(err).ec2Code;
  const retry = { afterMs: restsForMs };
  return new AWSError('EC2Throttled', `EC2 throttles ${action}: ${ec2Code}`, { retry, ec2Code });
}

const throttlingCodes = /^(?:RequestLimitExceeded|.*Throttl.*)$/;
const unknownHostCodes = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const credentialCodes = /^(?:RequestExpired|ExpiredToken.*)$/;

interface Facts {
  readonly ec2Code: string;
  readonly message: string;
  /** Undefined if EC2 did not answer. */
  readonly httpStatus: number | undefined;
}

/** The SDK puts EC2's code into `name`. Network errors have a `code` as well. */
function factsOf(err: unknown): Facts {
  if (!(err instanceof Error)) {
    return { ec2Code: 'unknown error', message: '', httpStatus: undefined };
  }
  const ofNetwork = fieldOf(err, 'code');
  const status = fieldOf(fieldOf(err, '$metadata'), 'httpStatusCode');
  return {
    ec2Code: typeof ofNetwork === 'string' ? ofNetwork : err.name,
    message: err.message,
    httpStatus: typeof status === 'number' ? status : undefined,
  };
}
