/** The options of one command line, held against their declarations; collects what is wrong. */
import { parseArgs } from 'node:util';
import {
  type OptionDeclaration,
  optionDeclarations,
  type OptionName,
  isOptionName,
} from './options.ts';

export class GivenOptions {
  readonly problems: string[] = [];
  readonly #values = new Map<string, string[]>();

  constructor(args: readonly string[]) {
    for (const token of tokenize(args)) {
      if (token.kind === 'positional') this.#refusePositional(token.value);
      else if (token.kind === 'option') this.#add(token.name, token.rawName, token.value);
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
      this.problems.push(`--${name} ${JSON.stringify(text)} is none of ${choices.join(', ')}`);
    }
    return choice;
  }

  /** Reports each of the others that was given beside an option that decides alone. */
  refuseBeside(name: OptionName, others: readonly OptionName[]): void {
    for (const other of others) {
      if (other !== name && this.has(other))
        this.problems.push(`--${other} does not go with --${name}`);
    }
  }

  #add(name: string, rawName: string, value: string | undefined): void {
    const option = findDeclaration(name);
    if (option === undefined) {
      this.problems.push(`unknown option ${rawName}`);
    } else if (option.value === undefined && value !== undefined) {
      this.problems.push(`${rawName} takes no value`);
    } else if (option.value !== undefined && value === undefined) {
      this.problems.push(`${rawName} needs a value: expected ${option.value}`);
    } else if (this.#values.has(name) && !option.isRepeatable) {
      this.problems.push(`${rawName} is given more than once`);
    } else {
      this.#values.set(name, [...(this.#values.get(name) ?? []), value ?? '']);
    }
  }

  #refusePositional(text: string): void {
    this.problems.push(
      `unexpected argument ${JSON.stringify(text)}: a node cannot be explained live yet, so say what it asks for with --request and what its cloud lists with --cloud-address`,
    );
  }
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
