/**
 * The words of a command line as options and their texts, by the rules of pflag, which users of kubectl and of
 * Kubernetes' components know: `--name=value`, `--name value`, `-v=2`, `-v 2`, `-v2`, switches without a value,
 * underscores for dashes. All our programs read their words here. Never throws, and continues after a mistake, so
 * that a program can report all mistakes at once.
 */
import { suggestion } from './did-you-mean.ts';

/** What the reader needs to know about an option. */
interface ReadableOption {
  /** Without dashes in front. */
  readonly name: string;
  /** One letter, as in `-v`. */
  readonly short?: string | undefined;
  /** The text of an option that is given without a value. An option that has none requires a value. */
  readonly bare?: string | undefined;
}

interface ReaderRules<Option> {
  /** How many words without a dash the program takes. */
  readonly wordsMax: number;
  readonly messages: ReaderMessages<Option>;
}

/** What the program says about a mistake; `given` is the option as it was written. */
export interface ReaderMessages<Option> {
  unknown(given: string, advice: string): string;
  missing(given: string, option: Option): string;
  /** About a word that is one too many; `before` is the switch in front of it, if there is one. */
  surplus(word: string, before: string | undefined): string;
}

/** One occurrence of an option. */
export interface Occurrence<Option> {
  readonly option: Option;
  readonly given: string;
  readonly text: string;
  /** Whether the text was written, and not only implied by a switch. */
  readonly isWritten: boolean;
}

export interface Arguments<Option> {
  readonly occurrences: readonly Occurrence<Option>[];
  /** The words without a dash. */
  readonly words: readonly string[];
  readonly problems: readonly string[];
}

/** How much of a word an error repeats. */
export const echoMax = 128;

export function readArguments<Option extends ReadableOption>(
  args: readonly string[],
  options: readonly Option[],
  rules: ReaderRules<Option>,
): Arguments<Option> {
  const reader = new ArgumentReader(args, options, rules);
  reader.read();
  return reader;
}

class ArgumentReader<Option extends ReadableOption> implements Arguments<Option> {
  readonly occurrences: Occurrence<Option>[] = [];
  readonly words: string[] = [];
  readonly problems: string[] = [];
  readonly #rest: string[];
  readonly #rules: ReaderRules<Option>;
  readonly #byName: ReadonlyMap<string, Option>;
  readonly #byShort: ReadonlyMap<string, Option>;
  /** The switch in front of the current word, if it was given without a value. */
  #bareSwitch: string | undefined;

  constructor(args: readonly string[], options: readonly Option[], rules: ReaderRules<Option>) {
    this.#rest = [...args];
    this.#rules = rules;
    this.#byName = new Map(options.map((option) => [option.name, option]));
    this.#byShort = new Map(
      options.flatMap((option) => (option.short === undefined ? [] : [[option.short, option]])),
    );
  }

  read(): void {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      const before = this.#bareSwitch;
      this.#bareSwitch = undefined;
      if (word === '--' && this.#rules.wordsMax > 0) {
        for (const last of this.#rest.splice(0)) this.#addWord(last, undefined);
      } else if (word.startsWith('--') && word !== '--') this.#readLong(word);
      else if (word.startsWith('-') && word.length > 1 && word !== '--') this.#readShort(word);
      else this.#addWord(word, before);
    }
  }

  #readLong(word: string): void {
    const equals = word.indexOf('=');
    const given = equals < 0 ? word : word.slice(0, equals);
    const option = this.#byName.get(given.slice(2).replaceAll('_', '-'));
    if (option === undefined) {
      this.#refuseUnknown(given, given.slice(2));
      // The next word is probably its value, unless the program takes words.
      const isAlone = equals < 0 && this.#rest[0]?.startsWith('-') === false;
      if (isAlone && this.#rules.wordsMax === 0) this.#rest.shift();
      return;
    }
    this.#take(option, { given, inline: equals < 0 ? undefined : word.slice(equals + 1) });
  }

  /** One dash and letters: switches can be combined, and the value of the last one may follow directly. */
  #readShort(word: string): void {
    for (let at = 1; at < word.length; at += 1) {
      const letter = word.charAt(at);
      const option = this.#byShort.get(letter);
      if (option === undefined) {
        // Go's own flags take one dash before a whole name; pflag does not.
        const name = word.slice(1).replace(/=.*$/s, '');
        this.#refuseUnknown(word.replace(/=.*$/s, ''), name);
        return;
      }
      const given = `-${letter}`;
      const rest = word.slice(at + 1);
      if (rest.startsWith('=')) return this.#take(option, { given, inline: rest.slice(1) });
      if (rest !== '' && option.bare === undefined) {
        return this.#take(option, { given, inline: rest });
      }
      this.#take(option, { given, inline: undefined });
    }
  }

  #take(option: Option, { given, inline }: { given: string; inline: string | undefined }): void {
    const isBare = inline === undefined && option.bare !== undefined;
    const text = inline ?? option.bare ?? this.#nextValue();
    if (text === undefined) {
      this.problems.push(this.#rules.messages.missing(given, option));
      return;
    }
    if (isBare) this.#bareSwitch = given;
    this.occurrences.push({ option, given, text, isWritten: !isBare });
  }

  /** An option is not taken as the value of the option before it, although pflag would do so. */
  #nextValue(): string | undefined {
    const next = this.#rest[0] ?? '--';
    const isOption =
      next.startsWith('--') || (next.startsWith('-') && this.#byShort.has(next.charAt(1)));
    return isOption ? undefined : this.#rest.shift();
  }

  #addWord(word: string, switchBefore: string | undefined): void {
    if (this.words.length < this.#rules.wordsMax) this.words.push(word);
    else this.problems.push(this.#rules.messages.surplus(word, switchBefore));
  }

  #refuseUnknown(given: string, name: string): void {
    const near = suggestion(name.replaceAll('_', '-'), [...this.#byName.keys()]);
    const advice = near === undefined ? 'see --help' : `did you mean --${near}?`;
    this.problems.push(this.#rules.messages.unknown(given, advice));
  }
}
