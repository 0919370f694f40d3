/**
 * `npm run bench -- NAME`: measures and prints a table for people, with `-o json` one object on the
 * last line. Ends in 0 whether or not targets are met: a busy machine is no failure.
 */
import { GivenOptions, optionsHelp, type OptionTable } from '@tandem/cli/options';
import { systemClock, systemRandom } from '@tandem/runtime';
import { type Bench, printJson, printTable, type Report } from './report.ts';
import { benchCidr } from './cidr/cidr.ts';
import { benchAWS } from './aws/aws.ts';
import { benchAzure } from './azure/azure.ts';
import { benchInformer } from './informer/informer.ts';
import { benchInit } from './init/init.ts';
import { benchIpam } from './ipam/ipam.ts';
import { benchPlugin } from './plugin/plugin.ts';
import { benchResolve } from './resolve/resolve.ts';
import { benchRoutes } from './routes/routes.ts';

const benches: Readonly<Record<string, Bench>> = {
  cidr: benchCidr,
  aws: benchAWS,
  azure: benchAzure,
  informer: benchInformer,
  init: benchInit,
  ipam: benchIpam,
  plugin: benchPlugin,
  resolve: benchResolve,
  routes: benchRoutes,
};

const options: OptionTable<'output' | 'help'> = {
  output: { short: 'o', value: 'text|json', help: 'Output format (default: text)' },
  help: { short: 'h', help: 'Show this help' },
};

const usage = `Usage: npm run bench -- NAME [options]

Benches: ${Object.keys(benches).join(', ')}

Options:
${optionsHelp(options)}
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const request = readArguments(args);
  if (request.kind === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (request.kind === 'invalid') {
    for (const problem of request.problems) process.stderr.write(`error: ${problem}\n`);
    process.stderr.write(usage);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const report: Report = await request.bench({ clock: systemClock, random: systemRandom, say });
  process.stdout.write(request.output === 'json' ? printJson(report) : printTable(report));
  return 0;
}

type Request =
  | { kind: 'help' }
  | { kind: 'invalid'; problems: readonly string[] }
  | { kind: 'run'; bench: Bench; output: string };

function readArguments(args: readonly string[]): Request {
  const given = new GivenOptions(args, options, {
    positionalsMax: 1,
    positionalAdvice: 'one bench at a time',
  });
  if (given.has('help')) return { kind: 'help' };
  const [name = ''] = given.positionals;
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  const output = given.choice('output', ['text', 'json']) ?? 'text';
  const { problems } = given;
  if (bench === undefined) problems.push(`there is no bench ${JSON.stringify(name)}`);
  return bench === undefined || problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'run', bench, output };
}
