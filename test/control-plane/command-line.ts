/**
 * The command line of `npm run control-plane`: pure, so that what it accepts is a table in its test.
 */
import { GivenOptions, optionsHelp, type OptionTable } from '@tandem/cli/options';
import { quote } from '@tandem/core/node-address';
import type { StartOptions } from './start.ts';

export type Command =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

const options: OptionTable<'secure-port' | 'event-ttl' | 'watch-cache' | 'audit' | 'help'> = {
  'secure-port': { value: 'N', help: "The API server's port (default: a free one)" },
  'event-ttl': {
    value: 'DURATION',
    help: 'How long events are kept, such as 30s or 5m (default: 1h)',
  },
  'watch-cache': { value: 'on|off', help: 'Whether reads are served from memory (default: on)' },
  audit: { help: 'Write who asked what to DIR/logs/audit.log' },
  help: { short: 'h', help: 'Show this help' },
};

export const usage: string = `Usage: npm run control-plane -- [DIR] [options]

Starts a real etcd and kube-apiserver on loopback and stops them on Ctrl-C.

DIR must be empty or new; what was made in it is removed at the end. Without DIR a
temporary directory is used.

Options:
${optionsHelp(options)}
`;

export function parseCommandLine(args: readonly string[]): Command {
  const given = new GivenOptions(args, options, {
    positionalsMax: 1,
    positionalAdvice: 'DIR is the only argument, see --help',
  });
  if (given.has('help')) return { kind: 'help' };
  const { problems } = given;
  const [directory] = given.positionals;
  if (directory === '') problems.push('DIR is empty');
  const securePort = given.wholeNumber('secure-port', { min: 1, max: 65_535 });
  const eventTtl = readDuration(given.value('event-ttl'), problems);
  const watchCache = given.choice('watch-cache', ['on', 'off']);
  if (problems.length > 0) return { kind: 'refused', problems };
  return {
    kind: 'start',
    options: {
      ...(directory === undefined ? {} : { directory }),
      ...(securePort === undefined ? {} : { securePort }),
      ...(eventTtl === undefined ? {} : { eventTtl }),
      ...(watchCache === undefined ? {} : { watchCache }),
      ...(given.has('audit') ? { audit: 'on' } : {}),
    },
  };
}

/** Of whole seconds, minutes and hours, which is all that kube-apiserver rounds nothing of. */
function readDuration(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined || (/^(\d+[smh])+$/.test(text) && /[1-9]/.test(text))) return text;
  problems.push(`--event-ttl ${quote(text)} is not a duration such as 30s or 5m`);
  return undefined;
}
