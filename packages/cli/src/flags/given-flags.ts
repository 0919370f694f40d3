/**
 * Reads the flags of one command line. A caller asks for a value by the flag's declaration and gets it typed.
 * Collects the problems of words and values, and the notes about flags that have no effect.
 */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { quote } from '@tandem/core/node-address';
import { echoMax, readArguments, type ReaderMessages } from '../arguments/read-arguments.ts';
import type { AnyFlag, DefaultedFlag, Flag, LimitedSupport } from './flag.ts';

/** A line of the log at startup. */
export interface StartupNote {
  readonly level: 'info' | 'warn';
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}

export class GivenFlags {
  readonly #texts: ReadonlyMap<AnyFlag, readonly string[]>;
  readonly #misread: readonly string[];

  constructor(args: readonly string[], flags: readonly AnyFlag[]) {
    const read = readArguments<AnyFlag & { readonly flag: AnyFlag }>(
      args,
      flags.map((flag) => ({ ...flag, bare: flag.type.bare, flag })),
      { wordsMax: 0, messages },
    );
    this.#misread = read.problems;
    const given = Map.groupBy(read.occurrences, ({ option }) => option.flag);
    this.#texts = new Map(
      Array.from(given, ([flag, occurrences]) => [flag, occurrences.map(({ text }) => text)]),
    );
  }

  isGiven(flag: AnyFlag): boolean {
    return this.#texts.has(flag);
  }

  /** Whether its value cannot be read. `problems` says why. */
  isFaulty(flag: AnyFlag): boolean {
    return this.isGiven(flag) && this.#read(flag) === undefined;
  }

  /** The last text that was given, valid or not. Empty if the flag was not given. */
  textOf(flag: AnyFlag): string {
    return this.#texts.get(flag)?.at(-1) ?? '';
  }

  /** The value that was given, or the default. */
  of<T>(flag: DefaultedFlag<T>): T {
    // `problems` reports a faulty value. Until then, the default takes its place.
    const read = this.#read(flag) ?? flag.type.read([flag.byDefault]);
    assert(read.kind === 'value', `the default of --${flag.name} is not a value of its type`);
    return read.value;
  }

  /** The value that was given, if any was. */
  find<T>(flag: Flag<T>): T | undefined {
    return this.#read(flag)?.value;
  }

  /** The problems of words and values, and the flags that are not supported. */
  problems(): string[] {
    const problems = [...this.#texts].flatMap(([flag, texts]) => {
      const read = flag.type.read(texts);
      if (read.kind === 'invalid') {
        return [`--${flag.name} ${quote(read.text, echoMax)} ${read.reason}`];
      }
      const { support } = flag;
      const isRefused = support?.kind === 'refused' && !agrees(flag, support, read.value);
      return isRefused ? [`--${flag.name} is not supported: ${support.instead}`] : [];
    });
    return [...this.#misread, ...problems];
  }

  /** A note for each given flag that has no effect. */
  notes(): StartupNote[] {
    return [...this.#texts].flatMap(([flag, texts]) => {
      const { support } = flag;
      const read = flag.type.read(texts);
      if (support?.kind !== 'accepted' || read.kind === 'invalid') return [];
      if (agrees(flag, support, read.value)) return [];
      const fields = { flag: `--${flag.name}`, reason: support.because };
      return [{ level: 'info', message: 'Flag has no effect', fields }];
    });
  }

  /** The text of every flag: as given, or the default. */
  effective(flags: readonly AnyFlag[]): ReadonlyMap<string, string> {
    return new Map(
      flags.map((flag) => {
        const texts = this.#texts.get(flag) ?? [flag.byDefault ?? ''];
        return [flag.name, flag.type.addsUp === true ? texts.join(',') : (texts.at(-1) ?? '')];
      }),
    );
  }

  #read<T>(flag: Flag<T>): { readonly kind: 'value'; readonly value: T } | undefined {
    const texts = this.#texts.get(flag);
    const read = texts && flag.type.read(texts);
    return read?.kind === 'value' ? read : undefined;
  }
}

const messages: ReaderMessages<AnyFlag> = {
  unknown: (given, advice) => `unknown flag ${quote(given, echoMax)}: ${advice}`,
  missing: (given, { type }) => `${given} requires a value: ${given}=${type.word.toUpperCase()}`,
  surplus(word, before) {
    const shown = quote(word, echoMax);
    const advice =
      before === undefined
        ? 'the manager accepts flags only'
        : `write ${before}=${shown.slice(1, -1)} if it is the value of ${before}`;
    return `unexpected argument ${shown}: ${advice}`;
  },
};

/** Whether a value asks for what holds anyway. */
function agrees(flag: AnyFlag, support: LimitedSupport, value: unknown): boolean {
  if (support.agreesWith === undefined) return false;
  const agreed = flag.type.read([support.agreesWith]);
  return agreed.kind === 'value' && isDeepStrictEqual(agreed.value, value);
}
