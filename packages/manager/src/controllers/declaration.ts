/**
 * Everything that the manager knows about a controller, in one declaration: its names, its service account, its flags
 * and settings, the permissions that it needs, its metrics and events, and how to create it. Everything else derives
 * from the list of declarations in `index.ts`: `--controllers`, `--help`, `/configz`, the check of permissions, the RBAC
 * manifests and the reference pages. No other part of the manager names a controller.
 */
import type { Forecast } from '@tandem/controllers/dry-run';
import type { ManagedRoutes } from '@tandem/controllers/route';
import type { Cidr } from '@tandem/core/ip';
import type { LabelSelector } from '@tandem/core/node-address';
import type { View, ViewName } from '@tandem/core/view';
import type { LoopPorts } from '@tandem/controllers/loop';
import type { KubeClient } from '@tandem/kube/client';
import type { NodeProjection } from '@tandem/kube/node';
import type { Leadership, LeaseName } from '@tandem/kube/election';
import type { Informer } from '@tandem/kube/informer';
import type { InstanceLookup } from '@tandem/provider/lookup';
import type { RouteTables } from '@tandem/provider/routes';
import type { AnyMetric } from '@tandem/runtime';
import type { FlagGroup, GivenFlags, StartupNote } from '@tandem/cli/flags';
import type { StatusSection } from '@tandem/serving';
import type { Grant } from '../access/index.ts';
import type { Configuration } from '../config/index.ts';
import type { AddressRules } from '../settings/index.ts';

/** The facts about a controller that do not depend on its settings. */
interface ControllerFacts {
  /** Upstream's name. */
  readonly name: string;
  /** Upstream's short name, for `--controllers` and for `running_managed_controllers`. */
  readonly alias: string;
  /** Further short names that `--controllers` accepts. */
  readonly otherAliases?: readonly string[];
  /** Its service account with `--use-service-account-credentials`, which is upstream's. */
  readonly serviceAccount: string;
  /** All permissions that it may need. The manifests have all of them. */
  readonly grants: readonly Grant[];
  /** Its own flags, under the titles of the groups in which `--help` shows them. */
  readonly flags: readonly FlagGroup[];
  readonly metrics: readonly AnyMetric[];
  readonly events: readonly EventNote[];
}

/** A declaration as its author writes it, with the type of its settings. */
interface TypedDeclaration<Settings> extends ControllerFacts {
  /** Reads its settings, which are plain data, from its flags and from the file. */
  readonly read: (flags: GivenFlags, context: ReadContext) => Settings;
  /** Returns why it has nothing to do with these settings. Omitted if it always runs when selected. */
  readonly idleBecause?: (settings: Settings) => string | undefined;
  /** Returns its settings as `/configz` shows them. */
  readonly show: (settings: Settings) => ShownSettings;
  /** Returns the grants that it needs with these settings. A dry run writes nothing. */
  readonly needs: (settings: Settings, mode: Mode) => readonly Grant[];
  /** Returns which routes it manages with these settings. Omitted if it manages none. */
  readonly routeScope?: (settings: Settings) => RouteScope | undefined;
  /** Returns the source of the pod CIDRs that it gives to nodes; undefined if it gives none with these settings. */
  readonly allocates?: (settings: Settings) => AllocationSource | undefined;
  /** Returns undefined if the cloud lacks something that it needs. The log then says what. */
  readonly create: (settings: Settings, parts: ControllerParts) => Controller | undefined;
}

/** The routes that a controller manages. */
export interface RouteScope {
  readonly clusterCIDRs: readonly Cidr[];
  /** The nodes that get routes; undefined for all. */
  readonly selector: LabelSelector | undefined;
}

/** Pod CIDRs that the cloud assigns need no routes. */
type AllocationSource = 'ranges' | 'cloud';

export type Mode = LoopPorts['mode'];

/** The inputs from which a controller reads its settings, beside its flags. */
export interface ReadContext {
  /** Whether `--controllers` selects it. */
  readonly isSelected: boolean;
  /** The file of `--config`. */
  readonly file: Configuration;
  /** Collects problems, one line each. With a problem, the manager does not start. */
  readonly problems: string[];
  /** Collects notes for the log at start. */
  readonly notes: StartupNote[];
  /** Collects notes that the log has only if no controller manages routes. */
  readonly notesWithoutRoutes: StartupNote[];
}

/** A declaration as the manager uses it, without the type of the settings. */
export interface ControllerDeclaration extends ControllerFacts {
  configure(flags: GivenFlags, context: ReadContext): ConfiguredController;
}

/** A controller with the settings that the flags and the file give it. */
export interface ConfiguredController {
  readonly facts: ControllerFacts;
  /** Plain data, of a type that only its declaration knows. */
  readonly settings: unknown;
  /** Why it has nothing to do and does not run even if selected; undefined if it has something to do. */
  readonly idleBecause: string | undefined;
  show(): ShownSettings;
  needs(mode: Mode): readonly Grant[];
  /** Undefined if it manages no routes. */
  readonly routeScope: RouteScope | undefined;
  /** Undefined if it gives nodes no pod CIDRs. */
  readonly allocates: AllocationSource | undefined;
  create(parts: ControllerParts): Controller | undefined;
}

/** The parts that the manager gives to a controller. */
export interface ControllerParts extends LoopPorts {
  /** The cache of nodes, which all controllers share. */
  readonly nodes: Informer<NodeProjection>;
  /** Shared, so that look-ups of several controllers become one call. */
  readonly lookup: InstanceLookup;
  /** The rules from the feature gates and the file of `--config`. */
  readonly addressRules: AddressRules;
  /** The Lease of the election. `leaseClient`, the manager's own client, may read it. */
  readonly lease: LeaseName;
  readonly leaseClient: KubeClient;
  /** How long writes of the previous leader may still be stored. */
  readonly leadership: Leadership;
  /** The route tables of the cloud; undefined if it has none. */
  readonly routeTables: RouteTables | undefined;
  /** The rules for routes, and whether this manager allocates pod CIDRs; undefined if routes are not managed. */
  readonly managedRoutes: ManagedRoutes | undefined;
  /** Throws if this process must not change the cloud, because it no longer leads or is a dry run. */
  readonly beforeCloudWrite: () => void;
}

export interface Controller {
  /** Resolves after the signal aborts, once all writes have ended. */
  run(signal: AbortSignal): Promise<void>;
  /** The forecasts of a dry run so far; undefined before it has begun. Omitted if the controller has none. */
  forecasts?(): readonly Forecast[] | undefined;
  /** The number of nodes in each state. Omitted if the controller does not count them. */
  states?(): ReadonlyMap<string, number> | undefined;
  /** Its sections of `/statusz`. Omitted if it has none. */
  status?(): readonly StatusSection[];
  /** Its data below `/statusz/`, by page; undefined before it has begun. */
  readonly views?: ControllerViews;
  /** The number of entries that it keeps about nodes. There are none for deleted nodes (M6). */
  readonly remembered: number;
  /**
   * Whether the API server may still store a write whose outcome a successor must know before it begins. The Lease is
   * then not released but expires. Omitted if the controller has no such writes.
   */
  readonly hasWriteInDoubt?: boolean;
}

type ControllerViews = {
  readonly [Name in ViewName]?: () => View<Name> | undefined;
};

/** Two levels of keys, which are merged with those of other controllers. */
export interface ShownSettings {
  /** Under upstream's group, with upstream's keys. */
  readonly upstream: Readonly<Record<string, unknown>>;
  /** Under Tandem's group. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** An event, as the reference page explains it. */
export interface EventNote {
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  /** The possible actions of the event. */
  readonly actions: readonly string[];
  readonly meaning: string;
  readonly warnsWhen?: string;
  readonly remedy: string;
}

/** Hides the type of the settings from the rest of the manager. */
export function declareController<Settings>(
  declaration: TypedDeclaration<Settings>,
): ControllerDeclaration {
  return {
    ...declaration,
    configure: (flags, context) => new Configured(declaration, declaration.read(flags, context)),
  };
}

/** The events of a controller that declares one action for each reason. */
export function eventNotes(
  events: Readonly<Record<string, Omit<EventNote, 'reason' | 'actions'> & { action: string }>>,
): EventNote[] {
  return Object.entries(events).map(([reason, { action, ...note }]) => ({
    reason,
    actions: [action],
    ...note,
  }));
}

class Configured<Settings> implements ConfiguredController {
  readonly facts: TypedDeclaration<Settings>;
  readonly settings: Settings;

  constructor(facts: TypedDeclaration<Settings>, settings: Settings) {
    this.facts = facts;
    this.settings = settings;
  }

  get idleBecause(): string | undefined {
    return this.facts.idleBecause?.(this.settings);
  }

  show(): ShownSettings {
    return this.facts.show(this.settings);
  }

  needs(mode: Mode): readonly Grant[] {
    return this.facts.needs(this.settings, mode);
  }

  get routeScope(): RouteScope | undefined {
    return this.facts.routeScope?.(this.settings);
  }

  get allocates(): AllocationSource | undefined {
    return this.facts.allocates?.(this.settings);
  }

  create(parts: ControllerParts): Controller | undefined {
    return this.facts.create(this.settings, parts);
  }
}
