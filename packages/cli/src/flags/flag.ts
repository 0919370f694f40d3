/**
 * The declaration of a flag: its name, the form of its value, its purpose and how far it is supported. The parser,
 * `--help`, the notes at startup and `docs/reference/flags.md` all derive from it, so every accepted flag is documented
 * and every documented flag is accepted.
 */
import type { ValueType } from './values/value-type.ts';

export interface Flag<T> {
  /** Without dashes in front. */
  readonly name: string;
  /** One letter, as in `-v`. */
  readonly short?: string;
  readonly type: ValueType<T>;
  readonly help: string;
  /** Set if the flag does not change what the program does: whether it is accepted or refused. */
  readonly support?: LimitedSupport;
  /** The text that counts when the flag is not given. */
  readonly byDefault?: string;
  /** What holds when the flag is not given, in words, if no value of the flag expresses it. */
  readonly otherwise?: string;
  readonly isRequired?: true;
  readonly isDeprecated?: true;
}

/** A flag that always has a value. */
export interface DefaultedFlag<T> extends Flag<T> {
  readonly byDefault: string;
}

export type AnyFlag = Flag<unknown>;

export type LimitedSupport =
  /**
   * The flag is accepted so that existing command lines start. A log line at startup says why it has no
   * effect, except for the value `agreesWith`, which asks for what holds anyway.
   */
  | { readonly kind: 'accepted'; readonly because: string; readonly agreesWith?: string }
  /** Tandem lacks what the flag asks for and users would rely on it, so the start is refused with advice. */
  | { readonly kind: 'refused'; readonly instead: string; readonly agreesWith?: string };

export function accepted(because: string, agreesWith?: string): LimitedSupport {
  return agreesWith === undefined
    ? { kind: 'accepted', because }
    : { kind: 'accepted', because, agreesWith };
}

export function refused(instead: string, agreesWith?: string): LimitedSupport {
  return agreesWith === undefined
    ? { kind: 'refused', instead }
    : { kind: 'refused', instead, agreesWith };
}

export interface FlagGroup {
  readonly title: string;
  readonly flags: readonly AnyFlag[];
}
