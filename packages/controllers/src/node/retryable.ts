/**
 * Keeps the work queue from giving a node up: to a client, a refusal by the API server is final, but a
 * node must come back whatever happened, because rights return and nodes change (M2).
 */
import { CcmError } from '@tandem/runtime';

export async function retryable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (!(err instanceof CcmError) || err.retry !== 'never') throw err;
    const { code, effect } = err;
    throw new CcmError(err.message, { code, effect, retry: 'backoff', cause: err });
  }
}
