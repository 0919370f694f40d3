/**
 * Writes that Azure takes on and ends later. Their progress is asked for at the URL that the answer
 * named: by `Azure-AsyncOperation` with a status in the body, or by `Location` with 202 until it ended.
 */
import { ArmError } from './error.ts';
import type { ArmRequest } from './request.ts';

/** How a write of a table goes. */
export type WriteMode =
  | { readonly kind: 'sync' }
  | {
      readonly kind: 'async';
      readonly header: 'Azure-AsyncOperation' | 'Location';
      /** How often a client hears that it is under way. */
      readonly polls: number;
      /** Why it fails in the end; nothing is changed then. */
      readonly error?: ArmError;
    };

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

interface Pending {
  /** Where its progress is asked for. */
  readonly url: string;
  readonly id: string;
  pollsLeft: number;
  readonly error: ArmError | undefined;
  /** Makes the change, and gives what the resource looks like then. */
  readonly commit: () => unknown;
}

export class AsyncWrites {
  readonly #pending = new Map<string, Pending>();
  #count = 0;

  /** Refuses a write of a resource that another write is changing. */
  requireIdle(id: string): void {
    for (const other of this.#pending.values()) {
      if (other.id.toLowerCase() !== id.toLowerCase()) continue;
      const message = `Operation PutRouteTableOperation on resource ${id} was retried because another operation is in progress.`;
      const headers = { 'retry-after': '1' };
      throw new ArmError('RetryableErrorDueToAnotherOperation', message, { status: 429, headers });
    }
  }

  begin(
    mode: Extract<WriteMode, { kind: 'async' }>,
    write: Pick<Pending, 'id' | 'url' | 'commit'>,
  ): Readonly<Record<string, string>> {
    const name = `33333333-3333-4333-8333-${String(++this.#count).padStart(12, '0')}`;
    const { id, commit } = write;
    const kind = mode.header === 'Location' ? 'operationResults' : 'operations';
    const [, , subscription] = id.split('/');
    const path = `/subscriptions/${subscription}/providers/Microsoft.Network/locations/westeurope`;
    const url = `${write.url}${path}/${kind}/${name}?api-version=2026-01-01`;
    this.#pending.set(name, { id, url, pollsLeft: mode.polls, error: mode.error, commit });
    return { [mode.header.toLowerCase()]: url };
  }

  poll(request: ArmRequest): Reply {
    const name = request.parts['name'] ?? '';
    const pending = this.#pending.get(name);
    const isStatus = request.name === 'operations.get';
    if (pending === undefined) {
      throw new ArmError('OperationNotFound', `The operation ${name} was not found.`, {
        status: 404,
      });
    }
    if (pending.pollsLeft > 0) {
      pending.pollsLeft--;
      if (isStatus) return { status: 200, json: { status: 'InProgress' } };
      return { status: 202, headers: { location: pending.url } };
    }
    this.#pending.delete(name);
    if (pending.error !== undefined) {
      const { code, message } = pending.error;
      if (!isStatus) throw pending.error;
      return { status: 200, json: { status: 'Failed', error: { code, message } } };
    }
    const json = pending.commit();
    return { status: 200, json: isStatus ? { status: 'Succeeded' } : json };
  }
}
