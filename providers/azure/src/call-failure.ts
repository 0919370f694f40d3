/**
 * Translates what the SDK throws into our own errors. Every message has Azure's own code, because users search for it.
 * The SDK's error is not kept as the cause: it contains the request with its token, and Entra ID's errors repeat what
 * was sent.
 */
import { printable } from '@tandem/core/node-address';
import {
  CallPausedError,
  fieldOf,
  isDefiniteRefusal,
  type Throttling,
} from '@tandem/provider/calls';
import { parseRetryAfter } from '@tandem/runtime';
import { AzureError } from './failure.ts';
import { isUnresolved, tokenRefusalOf, unresolved } from './token-refusal.ts';

export interface FailedCall {
  /** The failed action in words, for messages: `list virtual machines in resource group blue`. */
  readonly what: string;
  readonly isWrite: boolean;
  /** The permission that the role lacks, if Azure's answer names it. */
  readonly deniedAction?: string | undefined;
  /** A sentence that says how the clock of this machine may be wrong. */
  readonly clockAdvice: string | undefined;
  /** The keys of azure.json that say where the resource is: `subscriptionId and resourceGroup`. */
  readonly scopeKeys?: string | undefined;
  /** How long to send no such calls, if Azure throttles them. */
  readonly restsForMs: number;
}

export function failureOf(call: FailedCall, err: unknown): AzureError {
  const { what, isWrite, clockAdvice, restsForMs, scopeKeys = usualScopeKeys } = call;
  if (err instanceof AzureError) return err;
  if (err instanceof CallPausedError) {
    const retry = { afterMs: err.retryAfterMs };
    return new AzureError('AzureThrottled', `Cannot ${what} yet: ${err.message}`, { retry });
  }
  const { azureCode, message, httpStatus } = factsOf(err);
  const refusal = tokenRefusalOf(err);
  if (refusal !== undefined) {
    const { azureCode: entraCode, why } = refusal;
    const text = `Entra ID gives no token: ${entraCode}. ${why}`;
    return tokenRefused(text, entraCode, clockAdvice);
  }
  if (isUnresolved(err)) {
    const text = `Entra ID gives no token: ${unresolved}. Check tenantId in --cloud-config, and the network`;
    return new AzureError('AzureCallFailed', text, { azureCode: unresolved });
  }
  if (readThrottling(err, 0) !== undefined) {
    const retry = { afterMs: Math.max(restsForMs, 1) };
    const text = `Azure throttles requests to ${what}: ${azureCode}`;
    return new AzureError('AzureThrottled', text, { retry, azureCode });
  }
  if (httpStatus === 401) {
    const text = `Azure does not take the token of the manager: ${azureCode}. Check tenantId and the credentials in --cloud-config`;
    return tokenRefused(text, azureCode, clockAdvice);
  }
  if (httpStatus === 403) {
    const advice =
      call.deniedAction === undefined
        ? 'Check the credentials of the manager and their role'
        : `The role of the manager lacks ${call.deniedAction}`;
    const text = `Azure refuses to ${what}: ${azureCode}. ${advice}`;
    return new AzureError('AzureAccessRefused', text, { retry: 'never', azureCode });
  }
  if (scopeCodes.test(azureCode)) {
    const text = `Azure cannot ${what}: ${azureCode}. Check ${scopeKeys} in --cloud-config`;
    return new AzureError('AzureScopeMissing', text, { azureCode });
  }
  const effect = isWrite && !isDefiniteRefusal(httpStatus) ? 'unknown' : 'none';
  // The SDK expects the documented form of an answer, and fails with such an error on every other form.
  const isUnreadable = err instanceof TypeError;
  const why = isUnreadable ? 'Azure returned an answer of an unknown form' : azureCode;
  const text = `Could not ${what}: ${why}: ${printable(message, 200)}`;
  return new AzureError('AzureCallFailed', text, { effect, azureCode });
}

/**
 * Reads how long to wait after throttling; undefined if the call was not throttled. A 503 counts only if Azure says how
 * long to wait.
 */
export function readThrottling(err: unknown, nowMs: number): Throttling | undefined {
  const status = fieldOf(err, 'statusCode');
  if (status !== 429 && status !== 503) return undefined;
  const retryAfterMs = parseRetryAfter(headerOf(err, 'retry-after'), nowMs);
  return status === 429 || retryAfterMs !== undefined ? { retryAfterMs } : undefined;
}

/** Returns whether the resource itself is missing, while its subscription and resource group exist. */
export function isResourceMissing({ azureCode, code }: AzureError): boolean {
  return code === 'AzureCallFailed' && missingCodes.has(azureCode ?? '');
}

export function isPreconditionFailure({ azureCode }: AzureError): boolean {
  return azureCode === 'PreconditionFailed';
}

/** Returns whether Azure definitely refused the request with a code that this provider does not know. */
export function isRefusedAsIs(err: AzureError): boolean {
  const { code, effect, retry } = err;
  const isDefinite = code === 'AzureCallFailed' && effect === 'none' && retry === 'backoff';
  return isDefinite && !isPreconditionFailure(err) && !isLimitReached(err);
}

/**
 * Returns whether a limit was reached. Azure has a code for each kind of limit, such as `PublicIPCountLimitReached`. It
 * does not document the code for a full route table.
 */
export function isLimitReached({ azureCode = '' }: AzureError): boolean {
  return /(?:limit|quota|count).*(?:exceeded|reached)/i.test(azureCode);
}

const scopeCodes =
  /^(?:SubscriptionNotFound|InvalidSubscriptionId|DisabledSubscription|ResourceGroupNotFound|ResourceGroupBeingDeleted)$/;
const missingCodes = new Set(['ResourceNotFound', 'NotFound', 'ParentResourceNotFound']);

const usualScopeKeys = 'subscriptionId and resourceGroup';

/** Adds advice about the clock: Entra ID's clock dates the tokens, so a wrong local clock misjudges them. */
function tokenRefused(
  text: string,
  azureCode: string,
  clockAdvice: string | undefined,
): AzureError {
  const message = clockAdvice === undefined ? text : `${text}. ${clockAdvice}`;
  return new AzureError('AzureTokenRefused', message, { retry: 'never', azureCode });
}

/**
 * Reads the denied action from Azure's answer, which also names the principal and the scope. The SDK's errors lack a
 * part of it.
 */
export function deniedActionOf(body: string): string | undefined {
  const pattern = /\bMicrosoft\.[A-Za-z]+(?:\/[A-Za-z]+){1,6}\/(?:read|write|delete|action)\b/;
  return pattern.exec(body)?.[0];
}

interface Facts {
  readonly azureCode: string;
  readonly message: string;
  /** Undefined if Azure did not answer. */
  readonly httpStatus: number | undefined;
}

function factsOf(err: unknown): Facts {
  if (!(err instanceof Error)) {
    return { azureCode: 'unknown error', message: '', httpStatus: undefined };
  }
  const status = fieldOf(err, 'statusCode');
  const code = fieldOf(err, 'code') ?? fieldOf(fieldOf(fieldOf(err, 'details'), 'error'), 'code');
  const httpStatus = typeof status === 'number' ? status : undefined;
  const unnamed = httpStatus === 412 ? 'PreconditionFailed' : err.name;
  const azureCode = typeof code === 'string' && code !== '' ? code : unnamed;
  return { azureCode: printable(azureCode, 80), message: err.message, httpStatus };
}

function headerOf(err: unknown, name: string): string | undefined {
  const headers = fieldOf(fieldOf(err, 'response'), 'headers');
  const get = fieldOf(headers, 'get');
  const value: unknown =
    typeof get === 'function' ? Reflect.apply(get, headers, [name]) : undefined;
  return typeof value === 'string' ? value : undefined;
}
