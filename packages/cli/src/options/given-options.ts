/**
 * The options of one command line, checked against their table. Collects all mistakes, so that a program can
 * report them at once. All our programs but the manager read their options with it. The manager has typed flags
 * (`flags/given-flags.ts`); both share the reader of words.
 */
import { printable, quote } from '@tandem/core/node-address';
import { echoMax, type Occurrence, readArguments } from '../arguments/read-arguments.ts';
import type { OptionDeclaration, OptionTable } from './option-table.ts';

interface ReaderOptions {
  /** How many words without a dash a program takes. Default: none. */
  readonly positionalsMax?: number;
  /** The advice in the error about a surplus word. */
  readonly positionalAdvice?: string;
}

interface NamedOption extends OptionDeclaration {
  readonly name: string;
  readonly bare: string | undefined;
}

export class GivenOptions<Name extends string> {
  readonly problems: string[];
  readonly positionals: readonly string[];
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[], table: OptionTable<Name>, options: ReaderOptions = {}) {
    const { positionalsMax = 0, positionalAdvice = 'expected options only, see --help' } = options;
    const named = Object.entries<OptionDeclaration>(table).map(([name, option]) => ({
      ...option,
      name,
      bare: option.value === undefined ? '' : undefined,
    }));
    const read = readArguments<NamedOption>(args, named, {
      wordsMax: positionalsMax,
      messages: {
        unknown: (given, advice) => `unknown option ${printable(given, echoMax)}: ${advice}`,
        missing: (given, { value = '' }) => `${given} requires a value: expected ${value}`,
        surplus: (word) => `unexpected argument ${quote(word, echoMax)}: ${positionalAdvice}`,
      },
    });
    this.problems = [...read.problems];
    this.positionals = read.words;
    for (const occurrence of read.occurrences) this.#add(occurrence);
  }

  has(name: Name): boolean {
    return this.#values.has(name);
  }

  /** The value of an option that may be given once. */
  value(name: Name): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  values(name: Name): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  choice<T extends string>(name: Name, choices: readonly T[]): T | undefined {
    const text = this.value(name);
    const choice = choices.find((one) => one === text);
    if (text !== undefined && choice === undefined) {
      this.problems.push(`--${name} ${quote(text, echoMax)} is not one of ${choices.join(', ')}`);
    }
    return choice;
  }

  wholeNumber(name: Name, { min = 0, max }: { min?: number; max: number }): number | undefined {
    const text = this.value(name);
    if (text === undefined) return undefined;
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.problems.push(
      `--${name} ${quote(text, echoMax)} is not a whole number from ${min} to ${max}`,
    );
    return undefined;
  }

  /** For a caller that has seen `name`, an exclusive option: reports each of `others` that was given too. */
  refuseBeside(name: Name, others: readonly Name[]): void {
    for (const other of others) {
      if (other !== name && this.has(other))
        this.problems.push(`--${other} cannot be combined with --${name}`);
    }
  }

  #add({ option, given, text, isWritten }: Occurrence<NamedOption>): void {
    const { name, value, isRepeatable } = option;
    const before = this.#values.get(name) ?? [];
    if (value === undefined && isWritten) this.problems.push(`${given} takes no value`);
    else if (before.length > 0 && !isRepeatable) {
      this.problems.push(`${given} is given more than once`);
    } else this.#values.set(name, [...before, text]);
  }
}
