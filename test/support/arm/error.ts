/** An error of ARM: the code that clients go by, the HTTP status and the words that Azure has for it. */
interface ArmErrorOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly details?: readonly { readonly code: string; readonly message: string }[];
}

export class ArmError extends Error {
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: ArmErrorOptions['details'];

  constructor(code: string, message: string, options: ArmErrorOptions = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 400;
    this.headers = options.headers ?? {};
    this.details = options.details;
  }

  toJSON(): unknown {
    const { code, message, details } = this;
    return { error: { code, message, ...(details === undefined ? {} : { details }) } };
  }
}

/** A refusal of one who asks too much, with the time after which to ask again. */
export function tooManyRequests(retryAfterSeconds: number): ArmError {
  const message =
    'The server rejected the request because too many requests have been received for this subscription.';
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new ArmError('OperationNotAllowed', message, { status: 429, headers });
}

export function resourceNotFound(type: string, name: string, resourceGroup: string): ArmError {
  const message = `The Resource '${type}/${name}' under resource group '${resourceGroup}' was not found. For more details please go to https://aka.ms/ARMResourceNotFoundFix`;
  return new ArmError('ResourceNotFound', message, { status: 404 });
}

export const resourceGroupNotFound = (resourceGroup: string): ArmError =>
  new ArmError('ResourceGroupNotFound', `Resource group '${resourceGroup}' could not be found.`, {
    status: 404,
  });

export const subscriptionNotFound = (subscription: string): ArmError =>
  new ArmError('SubscriptionNotFound', `The subscription '${subscription}' could not be found.`, {
    status: 404,
  });
