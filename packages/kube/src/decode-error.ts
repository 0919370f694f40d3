/**
 * Bytes that are not what they should be. Never skipped: whoever reads a stream gives it up and lists
 * again, because an event that could not be read is a change that nobody saw.
 */
import { CcmError } from '@tandem/runtime';

export class DecodeError extends CcmError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { code: 'Undecodable', retry: 'backoff', effect: 'none', ...options });
  }
}
