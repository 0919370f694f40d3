/**
 * The words of a command line as flags and their texts, by the rules of pflag, which users of Kubernetes'
 * components have in their fingers: `--name=value`, `--name value`, `-v=2`, `-v 2`, `-v2`, switches
 * without a value, underscores for dashes. Never throws, and goes on after a mistake, so that all of them
 * are told at once.
 */
import { quote } from '@tandem/core/node-address';
import { suggestion } from './did-you-mean.ts';
import type { AnyFlag } from './flag.ts';

export interface Arguments {
  /** The texts of each flag that was given, in their order. */
  readonly texts: ReadonlyMap<AnyFlag, readonly string[]>;
  readonly problems: readonly string[];
}

/** What an error repeats of a word. */
export const echoMax = 128;

export function readArguments(args: readonly string[], flags: readonly AnyFlag[]): Arguments {
  const reader = new ArgumentReader(args, flags);
  reader.read();
  return reader;
}

class ArgumentReader implements Arguments {
  readonly texts = new Map<AnyFlag, string[]>();
  readonly problems: string[] = [];
  readonly #rest: string[];
  readonly #byName: ReadonlyMap<string, AnyFlag>;
  readonly #byShort: ReadonlyMap<string, AnyFlag>;
  /** The switch that the word before was, if it was one and had no value. */
  #bareSwitch: string | undefined;

  constructor(args: readonly string[], flags: readonly AnyFlag[]) {
    this.#rest = [...args];
    this.#byName = new Map(flags.map((flag) => [flag.name, flag]));
    this.#byShort = new Map(
      flags.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag]])),
    );
  }

  read(): void {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      const before = this.#bareSwitch;
      this.#bareSwitch = undefined;
      if (word.startsWith('--') && word !== '--') this.#readLong(word);
      else if (word.startsWith('-') && word.length > 1 && word !== '--') this.#readShort(word);
      else this.#refuseWord(word, before);
    }
  }

  #readLong(word: string): void {
    const equals = word.indexOf('=');
    const given = equals < 0 ? word : word.slice(0, equals);
    const flag = this.#byName.get(given.slice(2).replaceAll('_', '-'));
    if (flag === undefined) {
      this.#refuseUnknown(given, given.slice(2));
      // Its value, if it stands apart, is no mistake of its own.
      if (equals < 0 && this.#rest[0]?.startsWith('-') === false) this.#rest.shift();
      return;
    }
    this.#take(flag, { given, inline: equals < 0 ? undefined : word.slice(equals + 1) });
  }

  /** One dash and letters: switches may stand together, and the last may have its value at once. */
  #readShort(word: string): void {
    for (let at = 1; at < word.length; at += 1) {
      const letter = word.charAt(at);
      const flag = this.#byShort.get(letter);
      if (flag === undefined) {
        // Go's own flags take one dash before a whole name; pflag does not.
        const name = word.slice(1).replace(/=.*$/s, '');
        this.#refuseUnknown(word.replace(/=.*$/s, ''), name);
        return;
      }
      const rest = word.slice(at + 1);
      if (rest.startsWith('='))
        return this.#take(flag, { given: `-${letter}`, inline: rest.slice(1) });
      if (rest !== '' && flag.type.bare === undefined) {
        return this.#take(flag, { given: `-${letter}`, inline: rest });
      }
      this.#take(flag, { given: `-${letter}`, inline: undefined });
    }
  }

  #take(flag: AnyFlag, { given, inline }: { given: string; inline: string | undefined }): void {
    const text = inline ?? flag.type.bare ?? this.#nextWord();
    if (text === undefined) {
      this.problems.push(`${given} requires a value: ${given}=${flag.type.word.toUpperCase()}`);
      return;
    }
    if (inline === undefined && flag.type.bare !== undefined) this.#bareSwitch = given;
    this.texts.set(flag, [...(this.texts.get(flag) ?? []), text]);
  }

  /** A word that is a flag is no value, though pflag would take it for one. */
  #nextWord(): string | undefined {
    return this.#rest[0]?.startsWith('--') ? undefined : this.#rest.shift();
  }

  #refuseWord(word: string, switchBefore: string | undefined): void {
    const shown = quote(word, echoMax);
    const advice =
      switchBefore === undefined
        ? 'the manager accepts flags only'
        : `write ${switchBefore}=${shown.slice(1, -1)} if it is the value of ${switchBefore}`;
    this.problems.push(`unexpected argument ${shown}: ${advice}`);
  }

  #refuseUnknown(given: string, name: string): void {
    const near = suggestion(name.replaceAll('_', '-'), [...this.#byName.keys()]);
    const advice = near === undefined ? 'see --help' : `did you mean --${near}?`;
    this.problems.push(`unknown flag ${quote(given, echoMax)}: ${advice}`);
  }
}
