/**
 * What the manager of a world is started with: flags and a configuration file as people write them, read
 * by the manager's own code. Times are shorter where there is a flag for them, so that a world needs few
 * minutes to see everything.
 */
import { parseConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import type { ManagerSettings } from '@tandem/manager/settings';
import { vips, type WorldPlan } from '../plan/index.ts';

const flags: readonly string[] = [
  '--cloud-provider=simulated',
  '--node-monitor-period=3s',
  '--node-deletion-min-age=5s',
  '--node-deletion-grace=4s',
  // Fewer renewals than by default: nothing else happens for most of a quiet world's time.
  '--leader-elect-retry-period=8s',
];

export const graceMs = 4_000;

const configuration = `apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
excludeCIDRs:
  - {cidr: ${vips[0]}/32, reason: API VIP}
  - {cidr: "${vips[1]}/128", reason: API VIP}
`;

/** Whether initialised nodes are looked up in the middle of the trouble, or hardly ever. */
const paces: Readonly<Record<WorldPlan['pace'], readonly string[]>> = {
  brisk: [...flags, '--node-status-update-frequency=10s'],
  calm: [...flags, '--node-status-update-frequency=60s'],
};

/** Read once: there are thousands of worlds. */
const settingsByPace: Readonly<Record<WorldPlan['pace'], ManagerSettings>> = {
  brisk: readSettings(paces.brisk),
  calm: readSettings(paces.calm),
};

export function settingsOf(pace: WorldPlan['pace'], more: readonly string[] = []): ManagerSettings {
  return more.length === 0 ? settingsByPace[pace] : readSettings([...paces[pace], ...more]);
}

function readSettings(args: readonly string[]): ManagerSettings {
  const line = parseCommandLine(args);
  if (line.kind !== 'run') throw new Error(`these flags run nothing: ${args.join(' ')}`);
  const { gates } = line.settings;
  const read = parseConfiguration(configuration, { path: 'simulation', gates });
  const { settings, problems } = joinConfiguration(line, read);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}
