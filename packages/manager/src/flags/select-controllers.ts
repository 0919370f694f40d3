/**
 * Which controllers run, by upstream's rules: the first entry that names a controller decides about it, by
 * its name or its alias; otherwise `*` turns it on, and without `*` it is off. Controllers that upstream
 * has and Tandem has not are known by name: a manifest that lists them starts, and the log says what to do
 * about them.
 */
import { quote } from '@tandem/core/node-address';
import type { ControllerName } from '../settings/index.ts';
import { suggestion } from './did-you-mean.ts';
import type { StartupNote } from './startup-note.ts';

export interface SelectedControllers {
  readonly controllers: ReadonlySet<ControllerName>;
  readonly problems: readonly string[];
  readonly notes: readonly StartupNote[];
}

export function selectControllers(
  entries: readonly string[],
  { configuresRoutes }: { readonly configuresRoutes: boolean },
): SelectedControllers {
  const selected = ownControllers.filter(({ name, alias }) => isOn(entries, { name, alias }));
  const problems = entries.flatMap((entry) => findUnknown(entry));
  if (problems.length === 0 && selected.length === 0) problems.push(nothingToRun);
  const missing = missingControllers.filter(
    ({ name, alias, isOnByDefault }) =>
      isOn(entries, { name, alias, isOnByDefault }) &&
      (name !== routeController || configuresRoutes),
  );
  return {
    controllers: new Set(selected.map(({ name }) => name)),
    problems,
    notes: missing.map(({ name, alias, instead }) => ({
      // Whoever names it relies on it; `*` is only what everybody has.
      level: entries.some((entry) => entry === name || entry === alias) ? 'warn' : 'info',
      message: 'Upstream has a controller that Tandem does not have',
      fields: { controller: name, advice: instead },
    })),
  };
}

interface Known {
  readonly name: string;
  readonly alias: string;
  /** Whether `*` stands for it; true where left out. */
  readonly isOnByDefault?: boolean;
}

/** Every controller with its alias, as people may write it. */
export const ownControllers: readonly (Known & { readonly name: ControllerName })[] = [
  { name: 'cloud-node-controller', alias: 'cloud-node' },
  { name: 'cloud-node-lifecycle-controller', alias: 'cloud-node-lifecycle' },
];

const routeController = 'node-route-controller';

export const missingControllers: readonly (Known & {
  readonly isOnByDefault: boolean;
  readonly instead: string;
})[] = [
  {
    name: 'service-lb-controller',
    alias: 'service',
    isOnByDefault: true,
    instead:
      "For Services of type LoadBalancer run your cloud's own manager beside Tandem with --controllers=service-lb-controller and another --leader-elect-resource-name; add -service-lb-controller to --controllers here when you need none",
  },
  {
    name: routeController,
    alias: 'route',
    isOnByDefault: true,
    instead:
      "For routes to pods in the cloud run your cloud's own manager beside Tandem with --controllers=node-route-controller and another --leader-elect-resource-name; with a network plugin that needs none pass --configure-cloud-routes=false here",
  },
  {
    // Upstream runs it only with --allocate-node-cidrs, which is refused.
    name: 'node-ipam-controller',
    alias: 'nodeipam',
    isOnByDefault: false,
    instead:
      'Let kube-controller-manager give nodes their pod CIDRs, with --allocate-node-cidrs and --cluster-cidr',
  },
];

const knownControllers: readonly Known[] = [...ownControllers, ...missingControllers];

const nothingToRun = `--controllers leaves nothing to run: name ${ownControllers
  .map(({ name }) => name)
  .join(' or ')}, or write * for both`;

function isOn(entries: readonly string[], { name, alias, isOnByDefault = true }: Known): boolean {
  for (const entry of entries) {
    if (entry === name || entry === alias) return true;
    if (entry === `-${name}` || entry === `-${alias}`) return false;
  }
  return isOnByDefault && entries.includes('*');
}

function findUnknown(entry: string): string[] {
  const bare = entry.replace(/^-/, '');
  const names = knownControllers.flatMap(({ name, alias }) => [name, alias]);
  if (entry === '*' || names.includes(bare)) return [];
  const near = suggestion(bare, names);
  const advice =
    near === undefined
      ? `known are ${knownControllers.map(({ name, alias }) => `${name} (${alias})`).join(', ')}`
      : `did you mean ${near}? Known are ${knownControllers.map(({ name }) => name).join(', ')}`;
  return [`--controllers ${quote(entry)} is not a controller: ${advice}`];
}
