/** An error of EC2: the code that clients go by, the HTTP status and the words that EC2 has for it. */
import { type XmlValue, writeXml } from './xml.ts';

export class EC2Error extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }

  toXml(requestId: string): string {
    const error: XmlValue = { Code: this.code, Message: this.message };
    return writeXml('Response', { Errors: { Error: error }, RequestID: requestId });
  }
}

export function invalidValue(value: string, parameter: string, why = ''): EC2Error {
  const message = `Value (${value}) for parameter ${parameter} is invalid. ${why}`.trimEnd();
  return new EC2Error('InvalidParameterValue', message);
}

export function missing(parameter: string): EC2Error {
  return new EC2Error('MissingParameter', `The request must contain the parameter ${parameter}`);
}

/** Every id ends in 8 or 17 hexadecimal digits. */
export function requireForm(id: string, prefix: string, code: string): void {
  if (new RegExp(`^${prefix}-(?:[0-9a-f]{8}|[0-9a-f]{17})$`).test(id)) return;
  throw new EC2Error(code, `Invalid id: "${id}"`);
}

/** A zone that the call needs is down. */
export class ZoneDownError extends EC2Error {
  constructor() {
    super('Unavailable', 'The service is unavailable. Please try again shortly.', 503);
  }
}
