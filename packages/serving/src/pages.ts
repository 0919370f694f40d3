/**
 * What the secure port shows, as its owner provides it. The port reads the lists of checks for every request, so that they
 * may grow as controllers start.
 */
export interface Pages {
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
  readonly healthz: readonly HealthCheck[];
  /** The text of `/metrics`. */
  metrics(): Promise<string>;
  /** The object that `/configz` shows as JSON, its key included. */
  configz(): unknown;
  /** Every flag and its value, without secrets. */
  flagz(): ReadonlyMap<string, string>;
  statusz(): StatusFacts;
  /** The lists of data, by the last part of their path below `/statusz/`. */
  readonly lists: ReadonlyMap<string, ListPage>;
  /** Changes the log level, as `-v` does. Undefined if that is not possible. */
  setVerbosity?(verbosity: number): void;
}

/** A named health check. It returns at once from known facts and never waits for a call. */
export interface HealthCheck {
  readonly name: string;
  check(): HealthOutcome;
}

export type HealthOutcome =
  /** The page shows a warning beside the name. It fails no check. */
  | { readonly ok: true; readonly warning?: string }
  /** The reason is for those with rights and for the log. */
  | { readonly ok: false; readonly reason: string };

export interface StatusFacts {
  /** When the process began, in milliseconds since the epoch. */
  readonly startedMs: number;
  readonly uptimeMs: number;
  /** The version of the program. */
  readonly binaryVersion: string;
  /** The version of Node.js, such as `v24.0.0`. */
  readonly runtimeVersion: string;
  /** The minor version of Kubernetes that it behaves as, such as `1.36`. */
  readonly emulationVersion?: string;
  /** Who holds the Lease, in words. */
  readonly leader: string;
  /** How many nodes are in which state; undefined while the list has not been read. */
  readonly nodes: ReadonlyMap<string, number> | undefined;
  /** The sections of the controllers; empty while they do not run. */
  readonly sections: readonly StatusSection[];
}

/** A table of plain values under a title, and sentences below it. All rows have the same keys, the columns. */
export interface StatusSection {
  readonly title: string;
  readonly rows: readonly StatusRow[];
  readonly notes: readonly string[];
}

export type StatusRow = Readonly<Record<string, string | number>>;

/** A list of objects, shown as JSON in pages. */
export interface ListPage {
  readonly apiVersion: string;
  readonly kind: string;
  /** The fields of its items that it can be filtered by. */
  readonly filters: readonly string[];
  /** All values of a field that has few. A filter by another value is refused: its list is always empty. */
  readonly filterValues?: Readonly<Record<string, readonly string[]>>;
  read(): ListAnswer;
}

export type ListAnswer =
  | {
      readonly kind: 'list';
      /** The facts that apply to all items. */
      readonly summary: object;
      readonly entries: readonly ListEntry[];
    }
  /** This manager has no such list with its settings. The message is a sentence for people. */
  | { readonly kind: 'absent'; readonly message: string }
  /** Another manager has the data, or this one does not have it yet. */
  | { readonly kind: 'unavailable'; readonly message: string };

export interface ListEntry {
  /** Items are shown in the order of their keys. */
  readonly key: string;
  readonly item: () => object;
}

export type HealthPage = 'livez' | 'readyz' | 'healthz';

export const healthPages: readonly HealthPage[] = ['healthz', 'livez', 'readyz'];
