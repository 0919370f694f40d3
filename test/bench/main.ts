/**
 * `npm run bench -- NAME`: measures and prints a table for people, with `-o json` one object on the
 * last line. Ends in 0 whether or not targets are met: a busy machine is no failure.
 */
import { parseArgs } from 'node:util';
import { systemClock, systemRandom } from '@tandem/runtime';
import { type Bench, printJson, printTable, type Report } from './report.ts';
import { benchCidr } from './cidr/cidr.ts';
import { benchAWS } from './aws/aws.ts';
import { benchAzure } from './azure/azure.ts';
import { benchInformer } from './informer/informer.ts';
import { benchInit } from './init/init.ts';
import { benchIpam } from './ipam/ipam.ts';
import { benchLifecycle } from './lifecycle/lifecycle.ts';
import { benchResolve } from './resolve/resolve.ts';
import { benchRoutes } from './routes/routes.ts';
import { benchServing } from './serving/serving.ts';

const benches: Readonly<Record<string, Bench>> = {
  cidr: benchCidr,
  aws: benchAWS,
  azure: benchAzure,
  informer: benchInformer,
  init: benchInit,
  ipam: benchIpam,
  lifecycle: benchLifecycle,
  resolve: benchResolve,
  routes: benchRoutes,
  serving: benchServing,
};

const usage = `Usage: npm run bench -- NAME [-o text|json]

Benches: ${Object.keys(benches).join(', ')}
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const request = readArguments(args);
  if (request.kind === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (request.kind === 'invalid') {
    process.stderr.write(`error: ${request.problem}\n${usage}`);
    return 2;
  }
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const report: Report = await request.bench({ clock: systemClock, random: systemRandom, say });
  process.stdout.write(request.output === 'json' ? printJson(report) : printTable(report));
  return 0;
}

type Request =
  | { kind: 'help' }
  | { kind: 'invalid'; problem: string }
  | { kind: 'run'; bench: Bench; output: string };

function readArguments(args: string[]): Request {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o', default: 'text' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return { kind: 'help' };
    const [name, ...more] = positionals;
    const bench = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
    if (bench === undefined)
      return { kind: 'invalid', problem: `there is no bench ${JSON.stringify(name ?? '')}` };
    if (more.length > 0)
      return { kind: 'invalid', problem: `unexpected argument ${JSON.stringify(more[0])}` };
    if (!['text', 'json'].includes(values.output))
      return { kind: 'invalid', problem: `--output ${values.output} is neither text nor json` };
    return { kind: 'run', bench, output: values.output };
  } catch (err) {
    return { kind: 'invalid', problem: err instanceof Error ? err.message : String(err) };
  }
}
