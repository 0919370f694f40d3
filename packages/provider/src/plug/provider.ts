/**
 * The plug: what a cloud implements so that Tandem can look its machines up. Types only, so that a
 * provider of somebody else's needs nothing of Tandem at run time. Batching, caching, rates, deadlines
 * and the reading of nonsense are done around it (`../lookup`); a provider asks its cloud and says what
 * it learnt. One rule stands above all others (P3): **absent is an answer, an error is not.** A provider
 * that is not certain says `unknown`.
 *
 * A whole provider, for a cloud that answers one question with a list:
 *
 *     export async function createProvider({ configPath }: ProviderContext): Promise<Provider> {
 *       const cloud = await connect(configPath);
 *       return {
 *         name: 'acme',
 *         owns: (providerID) => providerID.startsWith('acme://'),
 *         async lookup(nodes, { signal }) {
 *           const machines = await cloud.list(nodes.map(idOf), { signal });
 *           return new Map(nodes.map((node) => [node.name, answerOf(machines.get(idOf(node)))]));
 *         },
 *       };
 *     }
 *
 * `docs/guides/write-a-provider.md` has it in full, and `../exam` the claims that it must pass.
 */
import type { NodeAddress } from '@tandem/core/node-address';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';

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
}

export interface Provider {
  /** A short constant: it is a label of metrics and stands in messages. */
  readonly name: string;
  /** How hard the cloud may be asked; what is left out has a default that suits most. */
  readonly limits?: Partial<ProviderLimits>;
  /**
   * Whether a node with this providerID is this cloud's at all. Asked often, so without I/O; never
   * asked about an empty one. Nodes that are not owned are neither looked up nor touched.
   */
  owns(providerID: string): boolean;
  /**
   * One call for all these nodes. No two of them have the same name, and those that have a providerID
   * are owned. The answer has one entry for every node, by its name; a node without an entry counts as
   * unknown. A rejection means unknown for all of them.
   */
  lookup(nodes: readonly NodeRef[], options: LookupOptions): Promise<LookupAnswers>;
  /**
   * Whether the cloud lets us in and lets us read what look-ups read: one cheap question, asked when
   * the program starts and, while the answer is no, every minute. Rejects where it does not, with a
   * message that tells a person what to do; with `retry: 'never'` where the same credentials will be
   * refused again. Nothing is decided by it, it is only told. Left out where there is nothing to ask.
   */
  checkAccess?(options: AccessOptions): Promise<void>;
  /** Lets go of timers, files and connections. No look-up follows. */
  close?(): Promise<void>;
}

export interface AccessOptions {
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
}

/** A node as far as a cloud needs to know it. */
export interface NodeRef {
  readonly name: string;
  /** Another one for a namesake that was created later: answers are never shared between the two. */
  readonly uid: string;
  /** Names the instance. Empty as long as the node has none; it is then looked up by its name. */
  readonly providerID: string;
}

export interface LookupOptions {
  /**
   * `cached`: a copy that the provider keeps will do, if it is young (seconds). `authoritative`: ask
   * the source now; a node may be deleted because of the answer.
   */
  readonly freshness: Freshness;
  /** Aborts when the deadline passes or the program ends. Stop then, by rejecting with its reason. */
  readonly signal: AbortSignal;
}

export type Freshness = 'cached' | 'authoritative';

export type LookupAnswers = ReadonlyMap<string, LookupAnswer>;

export type LookupAnswer =
  /** The instance exists, and all of its addresses were read. */
  | { readonly kind: 'found'; readonly instance: Instance }
  /** The cloud said that there is no such instance, or that it is terminated for good. */
  | { readonly kind: 'absent' }
  /** Anything else: an error, half an answer, two instances of that name. */
  | {
      readonly kind: 'unknown';
      /** With a `code` that stays the same; best a `CcmError`. */
      readonly err: Error;
      /** How long the cloud asked to be left alone. */
      readonly retryAfterMs?: number;
    };

export interface Instance {
  /** The canonical spelling, owned by this provider. The node's own may differ where clouds allow it. */
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
  /** Pod prefixes that the cloud has given the instance; empty where it gives none. */
  readonly podCIDRs: readonly string[];
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
}
