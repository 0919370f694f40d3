/**
 * From the words of a command line to options, or to everything that is wrong with them at once. Nothing is
 * accepted and ignored: what has no effect beside another option is refused.
 */
import { parseArgs } from 'node:util';
import { printable, quote } from '@tandem/core/node-address';
import type { CloudStack } from '../machines/index.ts';
import {
  isOptionName,
  nodesMax,
  type OptionDeclaration,
  optionDeclarations,
  type OptionName,
} from './declarations.ts';

export type StartCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | {
      readonly kind: 'once';
      readonly world: WorldOptions;
      readonly output: 'table' | 'json';
    }
  | {
      readonly kind: 'live';
      readonly world: WorldOptions;
      readonly port: number;
    };

export interface WorldOptions {
  readonly nodes: number;
  readonly stack: CloudStack;
  readonly faults: 'none' | 'seeded';
  readonly churn: 'none' | 'seeded';
  readonly seed: string;
  readonly log: string | undefined;
}

/** What an error repeats of a word of the command line. */
const echoMax = 128;
const seedLengthMax = 128;

export function readOptions(args: readonly string[]): StartCommand {
  const problems: string[] = [];
  const given = readWords(args, problems);
  if (given.has('help')) return { kind: 'help' };
  const command = readCommand(given, problems);
  return problems.length === 0 ? command : { kind: 'invalid', problems };
}

type Given = ReadonlyMap<OptionName, string>;

function readCommand(given: Given, problems: string[]): StartCommand {
  const world: WorldOptions = {
    nodes: readNumber(given, { name: 'nodes', max: nodesMax, problems }),
    stack: readChoice(given, { name: 'stack', choices: ['dual', 'ipv4', 'ipv6'], problems }),
    faults: given.has('faults') ? 'seeded' : 'none',
    churn: given.has('churn') ? 'seeded' : 'none',
    seed: readSeed(given, problems),
    log: readLog(given, problems),
  };
  if (given.has('stack') && !given.has('nodes') && !given.has('churn')) {
    problems.push('--stack requires --nodes or --churn');
  }
  const port = readNumber(given, { name: 'port', max: 65_535, problems });
  const output = readChoice(given, { name: 'output', choices: ['table', 'json'], problems });
  if (given.has('once')) {
    if (given.has('churn'))
      problems.push('--churn cannot be combined with --once, because churn never ends');
    if (given.has('port'))
      problems.push('--port cannot be combined with --once, which opens no port');
    return { kind: 'once', world, output };
  }
  if (given.has('output')) problems.push('--output requires --once');
  return { kind: 'live', world, port };
}

function readWords(args: readonly string[], problems: string[]): Given {
  const given = new Map<OptionName, string>();
  for (const token of tokenize(args)) {
    if (token.kind === 'positional')
      problems.push(
        `unexpected argument ${quote(token.value, echoMax)}: expected options only, see --help`,
      );
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const shown = printable(rawName, echoMax);
    const option = isOptionName(name) ? optionDeclarations[name] : undefined;
    if (!isOptionName(name) || option === undefined) {
      problems.push(`unknown option ${shown}: see --help`);
    } else if (given.has(name)) {
      problems.push(`${shown} is given more than once`);
    } else {
      const problem = findValueProblem(option, token);
      if (problem !== undefined) {
        problems.push(`${shown} ${problem}`);
        continue;
      }
      // As in kubectl, `-o=json` is `-o json`.
      given.set(name, (rawName.startsWith('--') ? value : value?.replace(/^=/, '')) ?? '');
    }
  }
  return given;
}

function findValueProblem(
  option: OptionDeclaration,
  { value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined },
): string | undefined {
  if (option.value === undefined) return value === undefined ? undefined : 'takes no value';
  // A value that looks like an option is one: its own is missing.
  const isMissing = value === undefined || (inlineValue === false && value.startsWith('-'));
  return isMissing ? `requires a value: expected ${option.value}` : undefined;
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

function readNumber(
  given: Given,
  about: { readonly name: OptionName; readonly max: number; readonly problems: string[] },
): number {
  const { name, max, problems } = about;
  const text = given.get(name);
  if (text === undefined) return 0;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= max) return number;
  problems.push(`--${name} ${quote(text, echoMax)} is not a whole number from 0 to ${max}`);
  return 0;
}

/** The first choice counts where nothing is given. */
function readChoice<T extends string>(
  given: Given,
  about: {
    readonly name: OptionName;
    readonly choices: readonly [T, ...T[]];
    readonly problems: string[];
  },
): T {
  const { name, choices, problems } = about;
  const text = given.get(name);
  const choice = choices.find((one) => one === text);
  if (text !== undefined && choice === undefined) {
    problems.push(`--${name} ${quote(text, echoMax)} is not one of ${choices.join(', ')}`);
  }
  return choice ?? choices[0];
}

function readSeed(given: Given, problems: string[]): string {
  const seed = given.get('seed') ?? '1';
  if (seed === '' || seed.length > seedLengthMax) {
    problems.push(`--seed is ${seed.length} characters long: expected 1 to ${seedLengthMax}`);
  }
  return seed;
}

function readLog(given: Given, problems: string[]): string | undefined {
  const log = given.get('log');
  if (log === '') problems.push('--log is empty: expected a file name');
  return log;
}
