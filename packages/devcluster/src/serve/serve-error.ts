/** The embedded API server could not be started; the message says what to do. */
import { CcmError } from '@tandem/runtime';

export class ServeError extends CcmError {
  constructor(message: string, cause: unknown) {
    super(message, {
      code: 'EmbeddedServerUnavailable',
      retry: 'never',
      effect: 'none',
      cause,
    });
  }
}
