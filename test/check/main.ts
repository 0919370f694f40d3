/**
 * `npm run check`: types, format, lint, structure and promises. This entry only ties the check to the
 * real process.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseCommandLine, usage } from './command-line.ts';
import { runSteps } from './run-steps.ts';
import { steps } from './steps.ts';

function refuse(message: string): number {
  console.error(`${message}\nTry npm run check -- --help.`);
  return 2;
}

async function main(args: readonly string[]): Promise<number> {
  const request = parseCommandLine(args);
  switch (request.kind) {
    case 'help':
      console.log(usage);
      return 0;
    case 'mistake':
      return refuse(request.message);
    case 'check': {
      const root = resolve(request.root ?? join(import.meta.dirname, '..', '..'));
      if (!existsSync(root)) return refuse(`There is no folder ${root}.`);
      const ports = {
        root,
        print: (line: string) => console.log(line),
        nowMs: () => performance.now(),
      };
      return runSteps(steps, ports);
    }
    default:
      return request satisfies never;
  }
}

process.exitCode = await main(process.argv.slice(2));
