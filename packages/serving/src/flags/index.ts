/** The flags of the secure port, in the order of `--help`, and the settings that result from them. */
import { accepted, bool, type FlagGroup, type GivenFlags } from '@tandem/cli/flags';
import type { ServingSettings } from '../serving-settings.ts';
import { tlsProblems } from '../tls/tls-options.ts';
import { accessFlags, readAuthentication, readAuthorization } from './access-flags.ts';
import { readSocket, secureServingFlags } from './socket-flags.ts';

export { secureServingFlags } from './socket-flags.ts';

const profiling = {
  name: 'profiling',
  type: bool,
  byDefault: 'true',
  help: 'Serve V8 CPU profiles at /debug/pprof to authorised callers.',
};

const debuggingFlags: FlagGroup = {
  title: 'Debugging',
  flags: [
    profiling,
    {
      name: 'contention-profiling',
      type: bool,
      byDefault: 'false',
      support: accepted('JavaScript has no locks to profile', 'false'),
      help: 'Profile lock contention.',
    },
  ],
};

export const servingFlags: readonly FlagGroup[] = [
  secureServingFlags,
  ...accessFlags,
  debuggingFlags,
];

/** Reads the settings, and adds one line to `problems` for each mistake. */
export function readServing(
  given: GivenFlags,
  options: { readonly isDryRun: boolean; readonly problems: string[] },
): ServingSettings {
  const socket = readSocket(given, options);
  options.problems.push(...tlsProblems(socket.tls));
  return {
    ...socket,
    authentication: readAuthentication(given),
    authorization: readAuthorization(given),
    profiling: given.of(profiling),
  };
}
