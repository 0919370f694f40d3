/** The settings that a node's plan depends on, as data that can be read back without a loss. */
import { type Cidr, type Family, formatCidr, parseCidr } from '../ip/index.ts';
import type { Exclusion, Gates, LabelSelector, NodeIPPolicy } from '../node-address/index.ts';
import type { NodeSettings, RouteRules } from '../node-init/index.ts';

export interface SettingsView {
  readonly policies: readonly NodeIPPolicy[];
  readonly exclusions: readonly ExclusionView[];
  readonly gates: Gates;
  readonly refreshLabels: boolean;
  /** Null if routes are not managed. */
  readonly routes: RouteRulesView | null;
}

export interface ExclusionView extends Omit<Exclusion, 'cidr'> {
  readonly cidr: string;
}

export interface RouteRulesView {
  readonly clusterCIDRs: readonly string[];
  readonly families: readonly Family[];
  /** Null for all nodes. */
  readonly selector: LabelSelector | null;
  readonly allocates: boolean;
}

export interface PlanSettings {
  readonly settings: NodeSettings;
  readonly routes: RouteRules | undefined;
}

export function showSettings({ settings, routes }: PlanSettings): SettingsView {
  const { policies, exclusions, gates, refreshLabels } = settings;
  return {
    policies,
    exclusions: exclusions.map((exclusion) => ({
      ...exclusion,
      cidr: formatCidr(exclusion.cidr),
    })),
    gates,
    refreshLabels,
    routes: routes === undefined ? null : showRoutes(routes),
  };
}

function showRoutes({ clusterCIDRs, families, selector, allocates }: RouteRules): RouteRulesView {
  return {
    clusterCIDRs: clusterCIDRs.map(formatCidr),
    families,
    selector: selector ?? null,
    allocates,
  };
}

/** Undefined if a text is not a network, because incomplete settings must not decide anything. */
export function readSettings(view: SettingsView): PlanSettings | undefined {
  const { policies, gates, refreshLabels, routes } = view;
  const exclusions: Exclusion[] = [];
  for (const { cidr: text, ...rest } of view.exclusions) {
    const cidr = readNetwork(text);
    if (cidr === undefined) return undefined;
    exclusions.push({ ...rest, cidr });
  }
  const settings = { policies, exclusions, gates, refreshLabels };
  if (routes === null) return { settings, routes: undefined };
  const clusterCIDRs = readNetworks(routes.clusterCIDRs);
  if (clusterCIDRs === undefined) return undefined;
  const { families, selector, allocates } = routes;
  return {
    settings,
    routes: { clusterCIDRs, families, selector: selector ?? undefined, allocates },
  };
}

/** Undefined if one of the texts is not a network. */
export function readNetworks(texts: readonly string[]): readonly Cidr[] | undefined {
  const networks = texts.flatMap((text) => readNetwork(text) ?? []);
  return networks.length === texts.length ? networks : undefined;
}

function readNetwork(text: string): Cidr | undefined {
  const parsed = parseCidr(text);
  return parsed.kind === 'cidr' ? parsed.cidr : undefined;
}
