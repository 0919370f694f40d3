/**
 * Who may call: one access key, scoped to the region, for the actions that its policy allows. The signature
 * itself is not verified. A dry run of an allowed call ends with EC2's own code for that.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@tandem/runtime';
import { EC2Error } from './error.ts';
import type { Query } from './query.ts';
import type { EC2State } from './state.ts';

interface Account {
  readonly accessKeyId: string;
  /** Of temporary keys, which begin with `ASIA`; other keys have none. */
  readonly sessionToken: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly aheadMs: number;
  readonly denied: ReadonlySet<string>;
  readonly ignoresDryRuns: boolean;
  readonly state: Pick<EC2State, 'region'>;
}

export function requireAccess(
  { headers }: Pick<IncomingMessage, 'headers'>,
  account: Account,
  query: Query,
): void {
  const { accessKeyId, sessionToken, clock, aheadMs, denied, state } = account;
  const scope = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/ec2\/aws4_request,/;
  const [, key, region] = scope.exec(headers.authorization ?? '') ?? [];
  if (key === undefined) {
    throw new EC2Error('MissingAuthenticationToken', 'The request is not signed', 403);
  }
  const token = accessKeyId.startsWith('ASIA') ? sessionToken : undefined;
  if (key !== accessKeyId || headers['x-amz-security-token'] !== token) {
    const message = 'AWS was not able to validate the provided access credentials';
    throw new EC2Error('AuthFailure', message, 401);
  }
  if (region !== state.region) {
    const message = `Credential should be scoped to a valid region, not '${region}'.`;
    throw new EC2Error('AuthFailure', message, 401);
  }
  // Only where a test wants it: a virtual clock runs away from that of the SDK.
  const stampMs = readStamp(String(headers['x-amz-date']));
  if (aheadMs !== 0 && !(Math.abs(clock.now() + aheadMs - stampMs) <= skewMsMax)) {
    throw new EC2Error('RequestExpired', 'Request has expired.', 400);
  }
  if (denied.has(query.action)) {
    const message = `You are not authorized to perform this operation. User: arn:aws:sts::123456789012:assumed-role/nodes/i-1 is not authorized to perform: ec2:${query.action}`;
    throw new EC2Error('UnauthorizedOperation', message, 403);
  }
  if (query.isDryRun && !account.ignoresDryRuns) {
    const message = 'Request would have succeeded, but DryRun flag is set.';
    throw new EC2Error('DryRunOperation', message, 412);
  }
}

/** Signatures of another time are refused. */
const skewMsMax = 300_000;

/** `20260301T120000Z` */
function readStamp(text: string): number {
  const [, date = '', hour, minute, second] = /^(\d{8})T(\d{2})(\d{2})(\d{2})Z$/.exec(text) ?? [];
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}
