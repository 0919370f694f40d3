/**
 * The options of one command line, held against their table; collects everything that is wrong, so that
 * all of it is told at once. Our own programs read their options with it. The manager reads flags
 * (`flags/read-arguments.ts`), because its command lines were written for upstream's reader.
 */
import { parseArgs } from 'node:util';
import { printable, quote } from '@tandem/core/node-address';
import { suggestion } from '../flags/did-you-mean.ts';
import { echoMax } from '../flags/read-arguments.ts';
import type { OptionTable } from './option-table.ts';

interface ReaderOptions {
  /** How many words without a dash a program takes. Default: none. */
  readonly positionalsMax?: number;
  /** What the error says of a word that is one too many, after the word. */
  readonly positionalAdvice?: string;
}

export class GivenOptions<Name extends string> {
  readonly problems: string[] = [];
  readonly positionals: string[] = [];
  readonly #table: OptionTable<Name>;
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[], table: OptionTable<Name>, options: ReaderOptions = {}) {
    const { positionalsMax = 0, positionalAdvice = 'expected options only, see --help' } = options;
    this.#table = table;
    for (const token of tokenize(args, table)) {
      if (token.kind === 'option') this.#add(token);
      else if (token.kind === 'positional') {
        if (this.positionals.length < positionalsMax) this.positionals.push(token.value);
        else this.#refuseWord(token.value, positionalAdvice);
      }
    }
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

  /** Reports each of the others that was given beside an option that decides alone. */
  refuseBeside(name: Name, others: readonly Name[]): void {
    for (const other of others) {
      if (other !== name && this.has(other))
        this.problems.push(`--${other} cannot be combined with --${name}`);
    }
  }

  #add({ name, rawName, value, inlineValue }: OptionToken): void {
    const option = isName(name, this.#table) ? this.#table[name] : undefined;
    const shown = printable(rawName, echoMax);
    if (option === undefined) {
      const near = suggestion(name, Object.keys(this.#table));
      const advice = near === undefined ? 'see --help' : `did you mean --${near}?`;
      this.problems.push(`unknown option ${shown}: ${advice}`);
    } else if (option.value === undefined && value !== undefined) {
      this.problems.push(`${shown} takes no value`);
    } else if (option.value !== undefined && isMissing(value, inlineValue)) {
      this.problems.push(`${shown} requires a value: expected ${option.value}`);
    } else if (this.#values.has(name) && !option.isRepeatable) {
      this.problems.push(`${shown} is given more than once`);
    } else {
      // As in kubectl, `-o=json` is `-o json`.
      const text = rawName.startsWith('--') ? value : value?.replace(/^=/, '');
      this.#values.set(name, [...(this.#values.get(name) ?? []), text ?? '']);
    }
  }

  #refuseWord(word: string, advice: string): void {
    this.problems.push(`unexpected argument ${quote(word, echoMax)}: ${advice}`);
  }
}

/** A value that looks like an option is one: its own is missing. */
function isMissing(value: string | undefined, isInline: boolean | undefined): boolean {
  return value === undefined || (isInline === false && value.startsWith('-'));
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function tokenize(args: readonly string[], table: OptionTable) {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { short, value }]) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(short === undefined ? {} : { short }),
      } as const,
    ]),
  );
  return parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  }).tokens;
}

function isName<Name extends string>(name: string, table: OptionTable<Name>): name is Name {
  return Object.hasOwn(table, name);
}
