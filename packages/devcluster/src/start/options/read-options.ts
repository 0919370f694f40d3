/**
 * Reads the command line, and returns the options or everything that is wrong with them. No option is accepted and
 * ignored: one that has no effect beside another is refused.
 */
import { GivenOptions } from '@tandem/cli/options';
import type { CloudStack } from '../machines/index.ts';
import { nodesMax, optionDeclarations, type OptionName } from './declarations.ts';

export type StartCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | {
      readonly kind: 'once';
      readonly settings: DemoOptions;
      readonly output: 'table' | 'json';
    }
  | {
      readonly kind: 'live';
      readonly settings: DemoOptions;
      readonly port: number;
    };

export interface DemoOptions {
  readonly nodes: number;
  readonly stack: CloudStack;
  readonly faults: 'none' | 'seeded';
  readonly churn: 'none' | 'seeded';
  readonly seed: string;
  readonly log: string | undefined;
}

const seedLengthMax = 128;

export function readOptions(args: readonly string[]): StartCommand {
  const given = new GivenOptions(args, optionDeclarations);
  if (given.has('help')) return { kind: 'help' };
  const command = readCommand(given);
  const { problems } = given;
  return problems.length === 0 ? command : { kind: 'invalid', problems };
}

function readCommand(given: GivenOptions<OptionName>): StartCommand {
  const { problems } = given;
  const settings: DemoOptions = {
    nodes: given.wholeNumber('nodes', { max: nodesMax }) ?? 0,
    stack: given.choice('stack', ['dual', 'ipv4', 'ipv6']) ?? 'dual',
    faults: given.has('faults') ? 'seeded' : 'none',
    churn: given.has('churn') ? 'seeded' : 'none',
    seed: readSeed(given),
    log: readLog(given),
  };
  if (given.has('stack') && !given.has('nodes') && !given.has('churn')) {
    problems.push('--stack requires --nodes or --churn');
  }
  const port = given.wholeNumber('port', { max: 65_535 }) ?? 0;
  const output = given.choice('output', ['table', 'json']) ?? 'table';
  if (given.has('once')) {
    if (given.has('churn'))
      problems.push('--churn cannot be combined with --once, because churn never ends');
    if (given.has('port'))
      problems.push('--port cannot be combined with --once, which opens no port');
    return { kind: 'once', settings, output };
  }
  if (given.has('output')) problems.push('--output requires --once');
  return { kind: 'live', settings, port };
}

function readSeed(given: GivenOptions<OptionName>): string {
  const seed = given.value('seed') ?? '1';
  if (seed === '' || seed.length > seedLengthMax) {
    given.problems.push(`--seed is ${seed.length} characters long: expected 1 to ${seedLengthMax}`);
  }
  return seed;
}

function readLog(given: GivenOptions<OptionName>): string | undefined {
  const log = given.value('log');
  if (log === '') given.problems.push('--log is empty: expected a file name');
  return log;
}
