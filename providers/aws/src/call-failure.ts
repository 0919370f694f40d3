/**
 * What the SDK throws, in our words. EC2's own code stands in every message, because that is what people
 * search for. The SDK's error is not kept as the cause: what EC2 says about a wrong signature quotes the
 * signed headers, and with them the session token.
 */
import { printable } from '@tandem/core/node-address';
import { CallPausedError } from '@tandem/provider/calls';
import { DeadlineExceededError, fieldOf } from '@tandem/runtime';
import { AWSError } from './failure.ts';

export interface FailedCall {
  readonly action: string;
  readonly isWrite: boolean;
  /** How long calls of this action are not sent, because EC2 throttles it. */
  readonly restsForMs: number;
  /** What is wrong with the clock of this machine, in a sentence. */
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
  // A refusal says that nothing was done. After silence or a server's error, a write may have been.
  const isRefusal = httpStatus !== undefined && httpStatus < 500;
  const effect = isRefusal ? 'none' : effectOfSilence;
  const isTrouble = httpStatus !== undefined && httpStatus >= 500;
  // The name of the endpoint is made of the region, and stands in the message.
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
  /** Undefined where EC2 did not answer. */
  readonly httpStatus: number | undefined;
}

/** The SDK names an error of EC2 by its code; one of the network has a `code` beside its name. */
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
