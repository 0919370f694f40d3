/** The options of one command line, held against their declarations; collects what is wrong. */
import { parseArgs } from 'node:util';
import { printable, quote } from '@tandem/core/node-address';
import {
  type OptionDeclaration,
  optionDeclarations,
  type OptionName,
  isOptionName,
} from './options.ts';

/** What an error repeats of a word of the command line. */
export const echoMax = 128;

export class GivenOptions {
  readonly problems: string[] = [];
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[]) {
    for (const token of tokenize(args)) {
      if (token.kind === 'positional') this.#refusePositional(token.value);
      else if (token.kind === 'option') this.#add(token);
    }
  }

  has(name: OptionName): boolean {
    return this.#values.has(name);
  }

  /** The value of an option that may be given once. */
  value(name: OptionName): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  values(name: OptionName): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  choice<T extends string>(name: OptionName, choices: readonly T[]): T | undefined {
    const text = this.value(name);
    const choice = choices.find((one) => one === text);
    if (text !== undefined && choice === undefined) {
      this.problems.push(`--${name} ${quote(text, echoMax)} is not one of ${choices.join(', ')}`);
    }
    return choice;
  }

  /** Reports each of the others that was given beside an option that decides alone. */
  refuseBeside(name: OptionName, others: readonly OptionName[]): void {
    for (const other of others) {
      if (other !== name && this.has(other))
        this.problems.push(`--${other} cannot be combined with --${name}`);
    }
  }

  #add({ name, rawName, value, inlineValue }: OptionToken): void {
    const option = findDeclaration(name);
    const shown = printable(rawName, echoMax);
    if (option === undefined) {
      this.problems.push(`unknown option ${shown}`);
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

  #refusePositional(text: string): void {
    this.problems.push(
      `unexpected argument ${quote(text, echoMax)}: explain does not read nodes from a cluster yet, so give the request with --request and the cloud's addresses with --cloud-address`,
    );
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

function tokenize(args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(optionDeclarations).map(([name, { short, value }]) => [
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

function findDeclaration(name: string): OptionDeclaration | undefined {
  return isOptionName(name) ? optionDeclarations[name] : undefined;
}
