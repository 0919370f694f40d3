/**
 * The command line of `npm run control-plane`: pure, so that what it accepts is a table in its test.
 */
import { parseArgs } from 'node:util';
import type { StartOptions } from './start.ts';

export type Command =
  | { readonly kind: 'start'; readonly options: StartOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'refused'; readonly reason: string };

export const usage: string = `Usage: npm run control-plane -- [DIR] [options]

Starts a real etcd and kube-apiserver on loopback and stops them on Ctrl-C.

DIR must be empty or new; what was made in it is removed at the end. Without DIR a
temporary directory is used.

Options:
  --secure-port N       the API server's port (default: a free one)
  --event-ttl DURATION  how long events are kept, such as 30s or 5m (default: 1h)
  --watch-cache on|off  whether reads are served from memory (default: on)
  --audit               write who asked what to DIR/logs/audit.log
  --help                this text
`;

export function parseCommandLine(args: readonly string[]): Command {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        'secure-port': { type: 'string' },
        'event-ttl': { type: 'string' },
        'watch-cache': { type: 'string' },
        audit: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help === true) return { kind: 'help' };
    return { kind: 'start', options: toOptions(values, positionals) };
  } catch (err) {
    // Node's own message goes on about positional arguments; its first sentence names the culprit.
    const message = err instanceof Error ? err.message : String(err);
    return { kind: 'refused', reason: message.split('. ')[0] ?? message };
  }
}

interface Values {
  readonly 'secure-port'?: string | undefined;
  readonly 'event-ttl'?: string | undefined;
  readonly 'watch-cache'?: string | undefined;
  readonly audit?: boolean | undefined;
}

function toOptions(values: Values, [directory, ...surplus]: readonly string[]): StartOptions {
  if (surplus.length > 0) throw new Error(`Unexpected argument '${surplus[0]}' after DIR`);
  if (directory === '') throw new Error('DIR is empty');
  const port = values['secure-port'];
  const eventTtl = values['event-ttl'];
  const watchCache = values['watch-cache'];
  return {
    ...(directory === undefined ? {} : { directory }),
    ...(port === undefined ? {} : { securePort: parsePort(port) }),
    ...(eventTtl === undefined ? {} : { eventTtl: parseDuration(eventTtl) }),
    ...(watchCache === undefined ? {} : { watchCache: parseSwitch(watchCache) }),
    ...(values.audit === true ? { audit: 'on' } : {}),
  };
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new Error(`--secure-port is 1 to 65535, not '${text}'`);
  return port;
}

function parseDuration(text: string): string {
  const isDuration = /^(\d+[smh])+$/.test(text) && /[1-9]/.test(text);
  if (!isDuration) throw new Error(`--event-ttl is a time such as 30s or 5m, not '${text}'`);
  return text;
}

function parseSwitch(text: string): 'on' | 'off' {
  if (text === 'on' || text === 'off') return text;
  throw new Error(`--watch-cache is on or off, not '${text}'`);
}
