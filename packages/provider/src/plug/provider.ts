/**
 * The plug: what a cloud implements so that Tandem can look its machines up. Types only, so that a
 * third-party provider needs nothing of Tandem at run time. Batching, caching, rates, deadlines
 * and the reading of nonsense are done around it (`../lookup`); a provider asks its cloud and says what
 * it learnt. One rule stands above all others (P3): **absent is an answer, an error is not.** A provider
 * that is not certain says `unknown`.
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
 * `docs/guides/write-a-provider.md` has it in full, and `../exam` the claims that it must pass.
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
  /** What the cluster is called in the cloud, by `--cluster-name`: in tags and names, for instance. */
  readonly clusterName: string;
  /** The networks of the cluster's pods: `--cluster-cidr`, then the ranges of `podCIDRPools`. May be empty. */
  readonly clusterCIDRs: readonly string[];
  /** Aborts when the program no longer waits for the provider to be created. */
  readonly signal: AbortSignal;
}

export interface Provider {
  /** A short constant: it is a label of metrics and stands in messages. */
  readonly name: string;
  /** How hard the cloud may be asked; what is left out has a default that suits most. */
  readonly limits?: Partial<ProviderLimits>;
  /**
   * The key of the instance that a providerID names: the same for every spelling of it, another one for
   * every other instance, whether or not they exist. `undefined` where the providerID is not this
   * cloud's: such nodes are neither looked up nor touched. Asked often, so without I/O; never asked
   * about an empty one.
   */
  identify(providerID: string): InstanceKey | undefined;
  /**
   * One call for all these nodes. No two of them have the same name, and those that have a providerID
   * have a key. The answer has one entry for every node, by its name; a node without an entry counts as
   * unknown. A rejection means unknown for all of them.
   */
  lookup(nodes: readonly NodeRef[], options: LookupOptions): Promise<LookupAnswers>;
  /** Left out where the cloud has no route tables, or none is configured. */
  readonly routes?: Routes;
  /**
   * Tells of instances that may have changed, appeared or gone, until the signal aborts; an empty list
   * means that anything may have. A hint and no more: the nodes are looked up, from data that is not older
   * than the hint, and decided about by the answers. A hint too many costs a look-up, one that is missing
   * is made up for by the polls. Left out where the cloud does not tell; `lookup` shows the change by then.
   */
  watch?(onChange: (keys: readonly InstanceKey[]) => void, options: WatchOptions): void;
  /**
   * Whether the cloud lets us in and lets us read what look-ups read: one cheap question, asked when
   * the program starts and, while the answer is no, every minute. Rejects where it does not, with a
   * message that tells a person what to do; with `retry: 'never'` where the same credentials will be
   * refused again. Where look-ups work but something else does not, it resolves with that, and is asked
   * again too. Nothing is decided by it, it is only told. Left out where there is nothing to ask.
   */
  checkAccess?(options: AccessOptions): Promise<readonly AccessGap[] | void>;
  /** Lets go of timers, files and connections. No look-up follows. */
  close?(): Promise<void>;
}

/** Tells one instance from another, whatever it is called. Compared as text and never shown; not empty. */
export type InstanceKey = string;

export interface WatchOptions {
  /** Aborts when there is no listener any more. */
  readonly signal: AbortSignal;
}

export interface AccessOptions {
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
  /** How many nodes are to have routes in the tables of the cloud. Left out where routes are not managed. */
  readonly routedNodes?: number;
}

/** Something that the cloud refuses or lacks, although it lets us in. */
export interface AccessGap {
  /** Tells a person what to do. */
  readonly err: Error;
  /** What does not work because of it, as a sentence without a full stop. */
  readonly consequence: string;
}

/** A node as far as a cloud needs to know it. */
export interface NodeRef {
  readonly name: string;
  /** Another one for a namesake that was created later: answers are never shared between the two. */
  readonly uid: string;
  /** Names the instance. Empty as long as the node has none; it is then looked up by its name. */
  readonly providerID: string;
  /** All of the node's labels at the time of the question. */
  readonly labels: Readonly<Record<string, string>>;
  /** What the machine's firmware calls it, as kubelet reports it. Empty until it has. */
  readonly systemUUID: string;
}

export interface LookupOptions {
  /**
   * How old the data may be that an answer rests on, when the call begins. A copy that the provider keeps
   * will do if it is that young. 0: ask the source now; a node may be deleted because of the answer.
   */
  readonly maxAgeMs: number;
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
}

export type LookupAnswers = ReadonlyMap<string, LookupAnswer>;

export type LookupAnswer =
  /** The instance exists, and all of its addresses were read. */
  | { readonly kind: 'found'; readonly instance: Instance; readonly asOfMs: AsOfMs }
  /** The cloud said that there is no such instance, or that it is terminated for good. */
  | { readonly kind: 'absent'; readonly asOfMs: AsOfMs }
  /**
   * The node is none of this provider's, although its providerID could be or it has none: what tells is a
   * label, for instance. It is left alone without a warning, and asked about again.
   */
  | { readonly kind: 'notOurs' }
  /** Anything else: an error, half an answer, two instances of that name. */
  | {
      readonly kind: 'unknown';
      /** With a `code` that stays the same; best a `CcmError`. */
      readonly err: Error;
      /** How long the cloud asked to be left alone. */
      readonly retryAfterMs?: number;
    };

/**
 * When the oldest question to the source began that the answer rests on, on the monotonic clock of the
 * context. Whatever changed in the cloud before then is in the answer. Never later than that: a request
 * would be refused, or a node deleted, on data that is older than it looks. An answer that is older than
 * `maxAgeMs` allows counts as unknown, and so does one whose time is missing or in the future.
 */
export type AsOfMs = number;

export interface Instance {
  /**
   * The canonical spelling. The node's own may differ where clouds allow it, but has the same key. Which
   * key that is, `identify` says; an instance brings none along that could differ.
   */
  readonly providerID: string;
  /** All of them, in an order that depends on nothing but the instance; the cloud's own text. */
  readonly addresses: readonly NodeAddress[];
  /** Left out where the cloud has no such thing; then no label is written. */
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  readonly state: InstanceState;
  /** Labels beyond those of type, zone and region. */
  readonly labels: Readonly<Record<string, string>>;
  /** Blocks of pod addresses that the cloud has given the instance; empty where it gives none. */
  readonly podBlocks: PodBlocks;
}

/** CIDRs by their family, each in an order that depends on nothing but the instance. */
export interface PodBlocks {
  readonly IPv4: readonly string[];
  readonly IPv6: readonly string[];
}

/** `stopped` is down but kept. A terminated instance has no state: it is absent. */
export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'terminating';

export interface ProviderLimits {
  /** Nodes in one look-up. */
  readonly batchSize: number;
  /** Look-ups under way at once. */
  readonly concurrency: number;
  /** Look-ups that may begin in a second, on average; `burst` of them at once. */
  readonly callsPerSecond: number;
  readonly burst: number;
  /** How long one look-up may take. */
  readonly deadlineMs: number;
  /**
   * How long a look-up that is not full waits for more nodes: until none came for `gatherPauseMs`, and for
   * `gatherMsMax` at the most. Nodes register one after the other; longer waits make fewer calls of them.
   */
  readonly gatherPauseMs: number;
  readonly gatherMsMax: number;
}
