/**
 * The gate before every change to a route, for one `apply`. The caller's own check comes first: the
 * election, or a dry run. Once it has thrown, the gate stays closed, so that nothing more is sent
 * even if the process leads again. A call that has ended, by its answer or its deadline, may not
 * write either, because the next decision depends on its reported outcome.
 */
import type { RouteApplyOptions } from '../plug/index.ts';

export class WriteGate {
  readonly #beforeWrite: RouteApplyOptions['beforeWrite'];
  #shut: { readonly err: unknown } | undefined;

  constructor(beforeWrite: RouteApplyOptions['beforeWrite']) {
    this.#beforeWrite = beforeWrite;
  }

  /** The error that the caller's check threw, now or before; undefined while writes are allowed. */
  refusal(): { readonly err: unknown } | undefined {
    if (this.#shut !== undefined) return this.#shut;
    try {
      this.#beforeWrite();
    } catch (err) {
      this.#shut = { err };
    }
    return this.#shut;
  }

  /** Returns `beforeWrite` for one call of the provider, which is valid until the call ends. */
  open(signal: AbortSignal): { readonly beforeWrite: () => void; readonly end: () => void } {
    let hasEnded = false;
    return {
      beforeWrite: () => {
        signal.throwIfAborted();
        if (hasEnded) throw new Error('The call has ended and must not change routes any more');
        const refusal = this.refusal();
        if (refusal !== undefined) throw refusal.err;
      },
      end: () => {
        hasEnded = true;
      },
    };
  }
}
