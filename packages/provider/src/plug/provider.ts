/**
 * The plug: the interface of a provider, through which Tandem looks up the machines of a cloud.
 * Types only, so that a third-party provider needs nothing of Tandem at run time. Tandem does the
 * batching, caching, rates, deadlines and validation (`../lookup`). A provider only asks its cloud
 * and returns the answers. One rule stands above all others (P3): **absent is an answer, an error
 * is not.** A provider that is not certain answers `unknown`.
 *
 * A whole provider, for a cloud that answers one question with a list:
 *
 *     export async function createProvider({ configPath, clock }: ProviderContext): Promise<Provider> {
 *       const cloud = await connect(configPath);
 *       return {
 *         name: 'acme',
 *         identify: (providerID) => /^acme:\/\/(.+)$/.exec(providerID)?.[1],
 *         async lookup(nodes, { signal }) {
 *           const asOfMs = clock.monotonic();
 *           const machines = await cloud.list(nodes.map(idOf), { signal });
 *           return new Map(
 *             nodes.map((node) => [node.name, answerOf(machines.get(idOf(node)), asOfMs)]),
 *           );
 *         },
 *       };
 *     }
 *
 * `docs/guides/write-a-provider.md` has the full example, and `../exam` the claims that a provider
 * must pass.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Clock, Environment, Logger, Metrics, Random } from '@tandem/runtime';
import type { Routes } from './routes.ts';

/** What the module given by `--cloud-provider` exports. */
export interface ProviderModule {
  /** Resolves when look-ups can be answered. A rejection ends the program with its message. */
  createProvider(context: ProviderContext): Promise<Provider>;
}

export interface ProviderContext {
  /** The file given by `--cloud-config`, in the format of the provider's own ecosystem. */
  readonly configPath: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The variables that the program was started with. */
  readonly environment: Environment;
  /** The cluster's name in the cloud, for example in tags, from `--cluster-name`. */
  readonly clusterName: string;
  /** The networks of the cluster's pods: `--cluster-cidr`, then the ranges of `podCIDRPools`. May be empty. */
  readonly clusterCIDRs: readonly string[];
  /** Aborts when the program no longer waits for the provider to be created. */
  readonly signal: AbortSignal;
}

export interface Provider {
  /** A short constant: it is a label of metrics and part of messages. */
  readonly name: string;
  /** The limits of look-ups. Limits that are left out have a default that suits most clouds. */
  readonly limits?: Partial<ProviderLimits>;
  /**
   * Returns the key of the instance that a providerID names, whether or not the instance exists.
   * All spellings of a providerID have one key, and no two instances share a key. Returns
   * `undefined` for a providerID of another cloud: Tandem neither looks up nor changes such nodes.
   * Tandem calls this often, so it must not do I/O, and never calls it with an empty providerID.
   */
  identify(providerID: string): InstanceKey | undefined;
  /**
   * Looks up all these nodes in one call. No two of them have the same name, and every providerID
   * has a key. The answer has one entry for every node, by its name; a node without an entry counts
   * as unknown. A rejection means unknown for all nodes.
   */
  lookup(nodes: readonly NodeRef[], options: LookupOptions): Promise<LookupAnswers>;
  /** Left out if the cloud has no route tables, or none is configured. */
  readonly routes?: Routes;
  /**
   * Calls back, until the signal aborts, with the instances that may have changed, appeared or
   * gone. An empty list means any instance. By the time of the call, `lookup` must show the change.
   * The call is only a hint: Tandem looks the nodes up, from data that is not older than the hint,
   * and decides on the answers. An unnecessary hint costs a look-up; after a missing one the next
   * poll finds the change. Left out if the cloud does not report changes.
   */
  watch?(onChange: (keys: readonly InstanceKey[]) => void, options: WatchOptions): void;
  /**
   * Checks with one cheap call whether the cloud accepts the credentials and lets the provider read
   * what look-ups read. Tandem calls this when the program starts and then every minute until it
   * succeeds. If the access is denied, it rejects with a message that says what to do, and with
   * `retry: 'never'` if the same credentials will be refused again. If look-ups work but something
   * else does not, it resolves with these gaps, and is called again too. Tandem only reports the
   * result and decides nothing by it. Left out if there is nothing to check.
   */
  checkAccess?(options: AccessOptions): Promise<readonly AccessGap[] | void>;
  /** Releases timers, files and connections. No look-up follows. */
  close?(): Promise<void>;
}

/**
 * Identifies one instance, whatever its name. A non-empty string that is compared and never shown.
 */
export type InstanceKey = string;

export interface WatchOptions {
  /** Aborts when Tandem no longer listens. */
  readonly signal: AbortSignal;
}

export interface AccessOptions {
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
  /**
   * The number of nodes that need routes in the cloud's tables. Left out if routes are not managed.
   */
  readonly routedNodes?: number;
}

/** Something that the cloud refuses or lacks, although it accepts the credentials. */
export interface AccessGap {
  /** Its message says what to do. */
  readonly err: Error;
  /** What does not work because of it, as a sentence without a full stop. */
  readonly consequence: string;
}

/** The facts about a node that a provider gets. */
export interface NodeRef {
  readonly name: string;
  /** A namesake that was created later has another one: the two nodes never share an answer. */
  readonly uid: string;
  /** Names the instance. While it is empty, the node is looked up by its name. */
  readonly providerID: string;
  /** All of the node's labels at the time of the question. */
  readonly labels: Readonly<Record<string, string>>;
  /** The UUID from the machine's firmware, as the kubelet reports it. Empty until then. */
  readonly systemUUID: string;
}

export interface LookupOptions {
  /**
   * The maximum age of the data behind an answer when the call begins. A younger cached copy
   * suffices. 0 means to ask the source now: Tandem may delete a node because of the answer.
   */
  readonly maxAgeMs: number;
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
}

export type LookupAnswers = ReadonlyMap<string, LookupAnswer>;

export type LookupAnswer =
  /** The instance exists, and all of its addresses were read. */
  | { readonly kind: 'found'; readonly instance: Instance; readonly asOfMs: AsOfMs }
  /** The cloud answered that there is no such instance, or that it is terminated permanently. */
  | { readonly kind: 'absent'; readonly asOfMs: AsOfMs }
  /**
   * The node does not belong to this provider, although its providerID could or is empty; for
   * example, because of a label. Tandem leaves the node alone without a warning, and asks about it
   * again.
   */
  | { readonly kind: 'notOurs' }
  /** Anything else: an error, a partial answer, two instances of that name. */
  | {
      readonly kind: 'unknown';
      /** Should have a stable `code`; a `CcmError` is best. */
      readonly err: Error;
      /** The delay that the cloud asked for. */
      readonly retryAfterMs?: number;
    };

/**
 * When the oldest call to the source behind the answer began, on the monotonic clock of the
 * context. The answer includes every change in the cloud before then. The time must never be later
 * than that, or Tandem would refuse a request or delete a node on older data than it knows. An
 * answer that is older than `maxAgeMs` allows counts as unknown, and so does one whose time is
 * missing or in the future.
 */
export type AsOfMs = number;

export interface Instance {
  /**
   * The canonical spelling. The node's own spelling may differ if the cloud allows that, but has
   * the same key. An instance has no key of its own: `identify` derives it from this providerID.
   */
  readonly providerID: string;
  /** All addresses in the cloud's spelling, in an order that depends only on the instance. */
  readonly addresses: readonly NodeAddress[];
  /** Left out if the cloud has no such value. Tandem then writes no label. */
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  readonly state: InstanceState;
  /** Additional labels besides those of type, zone and region. */
  readonly labels: Readonly<Record<string, string>>;
  /** The blocks of pod addresses that the cloud has given the instance; empty if it gives none. */
  readonly podBlocks: PodBlocks;
}

/** CIDRs by family, in an order that depends only on the instance. */
export interface PodBlocks {
  readonly IPv4: readonly string[];
  readonly IPv6: readonly string[];
}

/** `stopped` is down but kept. A terminated instance has no state: it is absent. */
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating';

export interface ProviderLimits {
  /** The maximum number of nodes in one look-up. */
  readonly batchSize: number;
  /** The maximum number of look-ups in flight. */
  readonly concurrency: number;
  /**
   * The average number of look-ups that may begin in a second. `burst` of them may begin at once.
   */
  readonly callsPerSecond: number;
  readonly burst: number;
  /** The deadline of one look-up. */
  readonly deadlineMs: number;
  /**
   * How long a look-up that is not full waits for more nodes: until no node came for
   * `gatherPauseMs`, and at most for `gatherMsMax`. Nodes register one after the other, so longer
   * waits save calls.
   */
  readonly gatherPauseMs: number;
  readonly gatherMsMax: number;
}
