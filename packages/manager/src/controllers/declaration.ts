/**
 * What the manager knows about a controller, in one declaration: its names, its service account, its flags
 * and settings, the permissions it needs, its metrics and events, and how it is made. Everything else
 * derives from the list of declarations in `index.ts`: `--controllers`, `--help`, `/configz`, the check of
 * permissions, the RBAC manifests and the reference pages. No other part of the manager names a controller.
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

/** What is the same for every controller, whatever its settings are. */
interface ControllerFacts {
  /** Upstream's name. */
  readonly name: string;
  /** Upstream's short name, for `--controllers` and for `running_managed_controllers`. */
  readonly alias: string;
  /** Further short names that `--controllers` takes. */
  readonly otherAliases?: readonly string[];
  /** Which service account it works as with `--use-service-account-credentials`: upstream's. */
  readonly serviceAccount: string;
  /** Everything that it may need of the API server; the manifests have all of it. */
  readonly grants: readonly Grant[];
  /** Its own flags, under the titles of the groups in which `--help` shows them. */
  readonly flags: readonly FlagGroup[];
  readonly metrics: readonly AnyMetric[];
  readonly events: readonly EventNote[];
}

/** A declaration as its author writes it, with the type of its settings. */
interface TypedDeclaration<Settings> extends ControllerFacts {
  /** Reads its settings from its flags, and from the file where that has a part in them. They are plain data. */
  readonly read: (flags: GivenFlags, context: ReadContext) => Settings;
  /** Why it has nothing to do with these settings. Left out where it always runs when it is selected. */
  readonly idleBecause?: (settings: Settings) => string | undefined;
  /** What `/configz` shows of its settings. */
  readonly show: (settings: Settings) => ShownSettings;
  /** Those of its grants that it needs with these settings. A dry run writes nothing. */
  readonly needs: (settings: Settings, mode: Mode) => readonly Grant[];
  /** Which routes it manages with these settings, where that is its work. */
  readonly routeScope?: (settings: Settings) => RouteScope | undefined;
  /** Where it takes the pod CIDRs from that it gives to nodes, if that is its work with these settings. */
  readonly allocates?: (settings: Settings) => AllocationSource | undefined;
  /** Undefined where the cloud lacks what it needs: the log then says what. */
  readonly create: (settings: Settings, parts: ControllerParts) => Controller | undefined;
}

/** Which routes are managed. */
export interface RouteScope {
  readonly clusterCIDRs: readonly Cidr[];
  /** The nodes that get routes; undefined for all. */
  readonly selector: LabelSelector | undefined;
}

/** Pod CIDRs that the cloud assigns need no routes. */
type AllocationSource = 'ranges' | 'cloud';

export type Mode = LoopPorts['mode'];

/** What a controller reads its settings with, beside its flags. */
export interface ReadContext {
  /** Whether `--controllers` selects it. */
  readonly isSelected: boolean;
  /** The file of `--config`. */
  readonly file: Configuration;
  /** Takes what is wrong, one line each: the manager does not start then. */
  readonly problems: string[];
  /** Takes what people should read in the log at the start. */
  readonly notes: StartupNote[];
  /** Takes what they should read there only if no controller manages routes. */
  readonly notesWithoutRoutes: StartupNote[];
}

/** A declaration as the manager has it. */
export interface ControllerDeclaration extends ControllerFacts {
  configure(flags: GivenFlags, context: ReadContext): ConfiguredController;
}

/** A controller with the settings that the flags and the file give it. */
export interface ConfiguredController {
  readonly facts: ControllerFacts;
  /** Plain data, of a type that only its declaration knows. */
  readonly settings: unknown;
  /** Why it has nothing to do and does not run, even where it is selected. */
  readonly idleBecause: string | undefined;
  show(): ShownSettings;
  needs(mode: Mode): readonly Grant[];
  /** Undefined where it manages no routes. */
  readonly routeScope: RouteScope | undefined;
  /** Undefined where it gives nodes no pod CIDRs. */
  readonly allocates: AllocationSource | undefined;
  create(parts: ControllerParts): Controller | undefined;
}

/** What the manager gives to a controller. */
export interface ControllerParts extends LoopPorts {
  /** The cache of nodes, shared by all. */
  readonly nodes: Informer<NodeProjection>;
  /** Shared, so that the questions of all controllers become one call. */
  readonly lookup: InstanceLookup;
  /** Of the feature gates and the file of `--config`. */
  readonly addressRules: AddressRules;
  /** The Lease of the election, and the client that may read it: the manager's own. */
  readonly lease: LeaseName;
  readonly leaseClient: KubeClient;
  /** How long writes of the previous leader may still be stored. */
  readonly leadership: Leadership;
  /** The route tables of the cloud; undefined where it has none. */
  readonly routeTables: RouteTables | undefined;
  /** Set where routes are managed: by which rules, and whether this manager allocates pod CIDRs. */
  readonly managedRoutes: ManagedRoutes | undefined;
  /** Throws where this process must not change anything in the cloud: it no longer leads, or it is a dry run. */
  readonly beforeCloudWrite: () => void;
}

export interface Controller {
  /** Resolves after the signal aborts, when no write is under way any more. */
  run(signal: AbortSignal): Promise<void>;
  /** What a dry run forecasts so far; undefined before it has begun. Left out where there is nothing to forecast. */
  forecasts?(): readonly Forecast[] | undefined;
  /** How many nodes are in which state, where it keeps count. */
  states?(): ReadonlyMap<string, number> | undefined;
  /** What `/statusz` shows of its work. Left out where it has nothing to show. */
  status?(): readonly StatusSection[];
  /** What `/statusz/…` shows of its work as data, by page; undefined before it has begun. */
  readonly views?: ControllerViews;
  /** Entries that are kept of nodes: none of one that is gone (M6). */
  readonly remembered: number;
  /**
   * Whether a write may still be stored of which a successor must know the outcome before it begins. The
   * Lease is then left to expire. Left out where no write is of that kind.
   */
  readonly hasWriteInDoubt?: boolean;
}

type ControllerViews = {
  readonly [Name in ViewName]?: () => View<Name> | undefined;
};

/** Two levels of keys, to be merged with those of other controllers. */
export interface ShownSettings {
  /** Under upstream's group, with upstream's keys. */
  readonly upstream: Readonly<Record<string, unknown>>;
  /** Under Tandem's group. */
  readonly own: Readonly<Record<string, unknown>>;
}

/** An event as the reference page explains it. */
export interface EventNote {
  readonly reason: string;
  readonly type: 'Normal' | 'Warning';
  /** The event has one of them. */
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
