/**
 * What the manager of a world is started with: flags and a configuration file as people write them, read
 * by the manager's own code. Times are shorter where there is a flag for them, so that a world needs few
 * minutes to see everything.
 */
import { parseConfiguration } from '@tandem/manager/config';
import { joinConfiguration, parseCommandLine } from '@tandem/manager/flags';
import type { ManagerSettings } from '@tandem/manager/settings';
import {
  type AllocationPlan,
  poolLabel,
  routeLabel,
  type RoutePlan,
  vips,
  type WorldPlan,
} from '../plan/index.ts';

const flags: readonly string[] = [
  '--cloud-provider=simulated',
  '--node-monitor-period=3s',
  '--node-deletion-min-age=5s',
  '--node-deletion-grace=4s',
  // Fewer renewals than by default: nothing else happens for most of a quiet world's time.
  '--leader-elect-retry-period=8s',
];

export const graceMs = 4_000;

const exclusions = `apiVersion: tandem.dev/v1alpha1
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

export function settingsOf(
  { pace, allocation, routes }: Pick<WorldPlan, 'pace' | 'allocation' | 'routes'>,
  more: readonly string[] = [],
): ManagerSettings {
  if (allocation === undefined && routes === undefined) {
    return more.length === 0 ? settingsByPace[pace] : readSettings([...paces[pace], ...more]);
  }
  const args = [
    ...paces[pace],
    ...(allocation === undefined ? [] : allocationFlags(allocation)),
    ...(routes === undefined ? [] : routeFlags(routes, allocation)),
    ...more,
  ];
  const pools = allocation === undefined ? '' : poolsText(allocation);
  return readSettings(args, exclusions + pools + selectorText(routes));
}

/** Where pod CIDRs are given out, that says already which ranges they are of. */
function routeFlags(
  { clusterCIDRs }: RoutePlan,
  allocation: AllocationPlan | undefined,
): readonly string[] {
  const ranges = allocation === undefined ? [`--cluster-cidr=${clusterCIDRs.join()}`] : [];
  return ['--route-reconciliation-period=15s', ...ranges];
}

function selectorText(routes: RoutePlan | undefined): string {
  const { key, value } = routeLabel;
  if (routes?.selected === undefined) return '';
  return `routes:\n  selector: {matchLabels: {${key}: ${value}}}\n`;
}

/** The last pool is that of the flags. */
function allocationFlags({ pools, serviceRanges }: AllocationPlan): readonly string[] {
  return [
    '--allocate-node-cidrs',
    `--cluster-cidr=${pools
      .at(-1)
      ?.ranges.map(({ cidr }) => cidr)
      .join()}`,
    ...(serviceRanges.length === 0 ? [] : [`--service-cluster-ip-range=${serviceRanges.join()}`]),
  ];
}

function poolsText({ pools }: AllocationPlan): string {
  const { key, value } = poolLabel;
  const lines = pools.slice(0, -1).map(({ name, ranges }) => {
    const cidrs = ranges.map(({ cidr }) => JSON.stringify(cidr)).join(', ');
    return `  - {name: ${name}, selector: {matchLabels: {${key}: ${value}}}, cidrs: [${cidrs}]}\n`;
  });
  return lines.length === 0 ? '' : `podCIDRPools:\n${lines.join('')}`;
}

function readSettings(args: readonly string[], configuration = exclusions): ManagerSettings {
  const line = parseCommandLine(args);
  if (line.kind !== 'run') throw new Error(`these flags run nothing: ${args.join(' ')}`);
  const { gates } = line.settings;
  const read = parseConfiguration(configuration, { path: 'simulation', gates });
  const { settings, problems } = joinConfiguration(line, read);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}
