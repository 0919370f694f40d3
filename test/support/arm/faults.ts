/** What happens to a call instead of, or after, what it asks for. */
import { LoopbackServer } from '../loopback-server.ts';
import { type ArmError, tooManyRequests } from './error.ts';

export type Fault =
  | { readonly kind: 'refuse'; readonly error: ArmError }
  /** Nothing is answered until the client gives up. */
  | { readonly kind: 'hang' }
  /** The connection ends before Azure does anything. */
  | { readonly kind: 'reset' }
  /** Azure does it, and the answer never arrives. */
  | { readonly kind: 'lose' }
  /** A page of some gateway, with status 200. */
  | { readonly kind: 'garbage' }
  /** A list says that there is nothing. */
  | { readonly kind: 'empty' };

export const throttled = (retryAfterSeconds: number): Fault => ({
  kind: 'refuse',
  error: tooManyRequests(retryAfterSeconds),
});

/** A server whose calls can be made to fail. */
export abstract class FaultyServer extends LoopbackServer {
  /** Of every call, until it is taken away. */
  fault: Fault | undefined;
  /** By call, until it is taken away. */
  readonly faults: Map<string, Fault> = new Map();
  /** Of the next calls, before all others. */
  readonly nextFaults: { readonly call: string; readonly fault: Fault }[] = [];

  takeFault(call: string): Fault | undefined {
    const index = this.nextFaults.findIndex((next) => next.call === call);
    if (index !== -1) return this.nextFaults.splice(index, 1)[0]?.fault;
    return this.faults.get(call) ?? this.fault;
  }
}
