/**
 * Bytes that cannot be decoded. A reader never skips them: it closes the stream and lists again, because
 * an unreadable event is a change that the cache has missed.
 */
import { CcmError } from '@tandem/runtime';

export class DecodeError extends CcmError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { code: 'Undecodable', retry: 'backoff', effect: 'none', ...options });
  }
}
