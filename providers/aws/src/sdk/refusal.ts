/**
 * What is kept of an error of the SDK. The error itself goes no further, because EC2's text about a wrong signature
 * quotes the signed headers, which include the session token.
 */
import { fieldOf } from '@tandem/runtime';

export interface RefusalFacts {
  /** EC2's own code, or that of the network. */
  readonly ec2Code: string;
  readonly message: string;
  /** Undefined if EC2 did not answer. */
  readonly httpStatus: number | undefined;
}

export class EC2Refusal extends Error implements RefusalFacts {
  readonly ec2Code: string;
  readonly httpStatus: number | undefined;

  constructor({ ec2Code, message, httpStatus }: RefusalFacts) {
    super(message);
    this.name = 'EC2Refusal';
    this.ec2Code = ec2Code;
    this.httpStatus = httpStatus;
  }
}

/** The SDK puts EC2's code into `name`. Network errors have a `code` as well. */
export function refusalOf(err: unknown): EC2Refusal {
  if (err instanceof EC2Refusal) return err;
  if (!(err instanceof Error)) {
    return new EC2Refusal({ ec2Code: 'unknown error', message: '', httpStatus: undefined });
  }
  const ofNetwork = fieldOf(err, 'code');
  const status = fieldOf(fieldOf(err, '$metadata'), 'httpStatusCode');
  return new EC2Refusal({
    ec2Code: typeof ofNetwork === 'string' ? ofNetwork : err.name,
    message: err.message,
    httpStatus: typeof status === 'number' ? status : undefined,
  });
}
