/** The schema of `args`, from the flags that the manager declares. */
import type { AnyFlag } from '@tandem/cli/flags';
import { knownFlags } from '@tandem/manager/flags';
import { addressText, networkList, type Schema } from './schema.ts';

/** Flags that follow from other values of the chart, or that make no sense in a Deployment. */
export const notForArgs: ReadonlySet<string> = new Set([
  'cloud-config',
  'cloud-provider',
  'config',
  'controllers',
  'help',
  'leader-elect',
  'leader-elect-resource-name',
  'leader-elect-resource-namespace',
  'logging-format',
  'once',
  'once-timeout',
  'secure-port',
  'use-service-account-credentials',
  'v',
  'version',
]);

export function flagValues(): Record<string, Schema> {
  const flags = knownFlags.filter(
    ({ name, support }) => support?.kind !== 'refused' && !notForArgs.has(name),
  );
  return Object.fromEntries(
    flags.map((flag) => [flag.name, { description: flag.help, ...valueOf(flag) }]),
  );
}

function valueOf({ type: { word, addsUp } }: AnyFlag): Schema {
  if (addsUp) return { type: ['string', 'array'], items: { type: 'string' } };
  switch (word) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
      return { type: 'integer' };
    case 'float':
      return { type: 'number' };
    case 'duration':
      return { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$' };
    case 'cidrs':
      return networkList;
    case 'ip':
      return addressText;
    default:
      return { type: 'string' };
  }
}
