import assert from 'node:assert/strict';
import { CallPausedError } from '@tandem/provider/calls';
import { DeadlineExceededError } from '@tandem/runtime';
import {
  deniedActionOf,
  type FailedCall,
  failureOf,
  isLimitReached,
  isRefusedAsIs,
  isResourceMissing,
  readThrottling,
} from './call-failure.ts';
import { AzureError } from './failure.ts';

const read: FailedCall = {
  what: 'list machines',
  isWrite: false,
  clockAdvice: undefined,
  restsForMs: 7_000,
};
const write: FailedCall = { ...read, what: 'write the table', isWrite: true };

describe('failures of calls to Azure', () => {
  const cases: {
    readonly name: string;
    readonly call?: FailedCall;
    readonly err: unknown;
    readonly want: object;
  }[] = [
    {
      name: 'a write without a response may have taken effect',
      call: write,
      err: new DeadlineExceededError(30_000),
      want: { code: 'AzureCallFailed', effect: 'unknown', retry: 'backoff' },
    },
    {
      name: 'a write that ended with a server error may have taken effect',
      call: write,
      err: restError(500, 'InternalServerError'),
      want: { code: 'AzureCallFailed', effect: 'unknown' },
    },
    {
      name: 'a write that timed out in a proxy may have taken effect',
      call: write,
      err: restError(408, 'RequestTimeout'),
      want: { code: 'AzureCallFailed', effect: 'unknown' },
    },
    {
      name: 'a write with an unreadable response may have taken effect',
      call: write,
      err: new TypeError('Cannot read properties of undefined'),
      want: {
        code: 'AzureCallFailed',
        effect: 'unknown',
        message:
          'Could not write the table: Azure returned an answer of an unknown form: Cannot read properties of undefined',
      },
    },
    {
      name: 'a refused write had no effect',
      call: write,
      err: restError(409, 'AnotherOperationInProgress'),
      want: { code: 'AzureCallFailed', effect: 'none', azureCode: 'AnotherOperationInProgress' },
    },
    {
      name: 'a failed read had no effect',
      err: restError(500, 'InternalServerError'),
      want: { code: 'AzureCallFailed', effect: 'none' },
    },
    {
      name: 'a throttled call may be retried after the pause',
      err: restError(429, 'TooManyRequests'),
      want: { code: 'AzureThrottled', retry: { afterMs: 7_000 } },
    },
    {
      name: 'a call that was not sent during a pause may be retried after the rest of the pause',
      err: new CallPausedError('machines reads', 3_000),
      want: { code: 'AzureThrottled', retry: { afterMs: 3_000 } },
    },
    {
      name: 'a refusal names the code and the action that the role lacks',
      call: { ...read, deniedAction: 'Microsoft.Compute/virtualMachines/read' },
      err: restError(403, 'AuthorizationFailed'),
      want: {
        code: 'AzureAccessRefused',
        retry: 'never',
        message:
          'Azure refuses to list machines: AuthorizationFailed. The role of the manager lacks Microsoft.Compute/virtualMachines/read',
      },
    },
    {
      name: 'a refusal without an action says what to check',
      err: restError(403, 'RequestDisallowedByPolicy'),
      want: {
        code: 'AzureAccessRefused',
        message:
          'Azure refuses to list machines: RequestDisallowedByPolicy. Check the credentials of the manager and their role',
      },
    },
    {
      name: 'a refused token comes with advice about a wrong clock',
      call: { ...read, clockAdvice: 'The clock is wrong' },
      err: restError(401, 'ExpiredAuthenticationToken'),
      want: {
        code: 'AzureTokenRefused',
        message:
          /^Azure does not take the token of the manager: ExpiredAuthenticationToken\. .*\. The clock is wrong$/,
      },
    },
    {
      name: 'a refused secret is explained without the description of Entra ID, which may repeat it',
      err: entraError('invalid_client', 'AADSTS7000215: Invalid client secret: s3cret.'),
      want: {
        code: 'AzureTokenRefused',
        retry: 'never',
        message:
          'Entra ID gives no token: invalid_client (AADSTS7000215). The client secret is wrong. Put the value of the secret, not its id, into aadClientSecret',
      },
    },
    {
      name: 'an Entra ID code without an explanation here comes with a link to one',
      err: entraError('invalid_grant', 'AADSTS50076: s3cret'),
      want: {
        message:
          'Entra ID gives no token: invalid_grant (AADSTS50076). See https://login.microsoftonline.com/error?code=50076',
      },
    },
    {
      name: 'a missing subscription does not make its machines absent',
      err: restError(404, 'SubscriptionNotFound'),
      want: { code: 'AzureScopeMissing', retry: 'backoff' },
    },
    {
      name: 'a missing subscription comes with the configuration keys that name it',
      call: { ...read, scopeKeys: 'networkResourceSubscriptionID and resourceGroup' },
      err: restError(404, 'SubscriptionNotFound'),
      want: {
        message: /\. Check networkResourceSubscriptionID and resourceGroup in --cloud-config$/,
      },
    },
    {
      name: 'a missing resource group does not make its machines absent',
      err: restError(404, 'ResourceGroupNotFound'),
      want: { code: 'AzureScopeMissing' },
    },
    {
      name: 'a response 412 without a code is PreconditionFailed',
      call: write,
      err: restError(412, undefined),
      want: { code: 'AzureCallFailed', azureCode: 'PreconditionFailed', effect: 'none' },
    },
    {
      name: 'a thrown value that is no Error has a message, too',
      err: 'nonsense',
      want: { code: 'AzureCallFailed', message: 'Could not list machines: unknown error: ' },
    },
  ];
  for (const { name, call = read, err, want } of cases) {
    it(name, () => {
      assert.throws(() => {
        throw failureOf(call, err);
      }, want);
    });
  }

  it('never have the SDK’s error as their cause', () => {
    assert.equal(failureOf(read, restError(403, 'AuthorizationFailed')).cause, undefined);
  });

  it('pass on an AzureError unchanged', () => {
    const own = new AzureError('AzureListEmpty', 'empty');
    assert.equal(failureOf(read, own), own);
  });

  it('count as throttling with 503 only when Azure says how long to wait', () => {
    assert.equal(readThrottling(restError(503, 'ServerBusy'), 0), undefined);
    const busy = restError(503, 'ServerBusy', { 'retry-after': '12' });
    assert.deepEqual(readThrottling(busy, 0), { retryAfterMs: 12_000 });
    assert.deepEqual(readThrottling(restError(429, 'x'), 0), { retryAfterMs: undefined });
  });

  it('tell a missing resource from a missing resource group or subscription', () => {
    const codes = ['ResourceNotFound', 'NotFound', 'ResourceGroupNotFound', 'SubscriptionNotFound'];
    const missing = codes.map((code) => isResourceMissing(failureOf(read, restError(404, code))));
    assert.deepEqual(missing, [true, true, false, false]);
  });

  it('name the action that a role lacks, as read from Azure’s message', () => {
    const body = (words: string): string => JSON.stringify({ error: { message: words } });
    const words =
      "The client 'id' does not have authorization to perform action 'Microsoft.Network/routeTables/write' over scope '/subscriptions/1/providers/Microsoft.Network/routeTables/blue' or the scope is invalid.";
    assert.equal(deniedActionOf(body(words)), 'Microsoft.Network/routeTables/write');
    assert.equal(deniedActionOf(body('Disallowed by policy.')), undefined);
  });

  it('are recognized as limits by their codes', () => {
    const codes = [
      'RouteTableRouteLimitExceeded',
      'RouteCountLimitReached',
      'QuotaExceeded',
      'Other',
    ];
    const failures = codes.map((code) => failureOf(write, restError(400, code)));
    assert.deepEqual(failures.map(isLimitReached), [true, true, true, false]);
    assert.deepEqual(failures.map(isRefusedAsIs), [false, false, false, true]);
  });

  it('tell a request that Azure rejects from one that it may have carried out or may accept later', () => {
    const errors = [
      restError(400, 'Other'),
      restError(409, 'Other'),
      restError(412, undefined),
      restError(429, 'Other'),
      restError(403, 'Other'),
      restError(500, 'Other'),
      new Error('the connection broke'),
    ];
    const refused = errors.map((err) => isRefusedAsIs(failureOf(write, err)));
    assert.deepEqual(refused, [true, true, false, false, false, false, false]);
  });
});

/** Returns an error as the SDK for credentials throws it. */
function entraError(error: string, errorDescription: string): Error {
  return Object.assign(new Error('what the SDK says'), {
    name: 'AuthenticationError',
    statusCode: 400,
    errorResponse: { error, errorDescription },
  });
}

/** Returns an error as the SDK's clients throw it. */
function restError(
  statusCode: number,
  code: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Error {
  const response = { headers: { get: (name: string) => headers[name] } };
  return Object.assign(new Error('what Azure says'), { statusCode, code, response });
}
