/**
 * A cloud whose instances a test creates, stops and removes, and whose answers it may change. It
 * records all of its answers, against which `deletion-laws.fixture.ts` checks deletions.
 */
import type {
  Instance,
  InstanceKey,
  LookupAnswer,
  LookupOptions,
  NodeRef,
  Provider,
} from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';

export interface RecordedAnswer {
  readonly atMs: number;
  readonly uid: string;
  readonly providerID: string;
  readonly freshness: 'cached' | 'authoritative';
  readonly kind: LookupAnswer['kind'];
}

/** An answer without its time: the cloud always answers with data of now. */
export type TimelessAnswer =
  | { readonly kind: 'found'; readonly instance: Instance }
  | { readonly kind: 'absent' }
  | Extract<LookupAnswer, { readonly kind: 'unknown' | 'notOurs' }>;

export class ScriptedCloud implements Provider {
  readonly name = 'scripted';
  readonly answers: RecordedAnswer[] = [];
  lookups = 0;
  /** Replaces the true answer with the one that the cloud gives. */
  bend: (node: NodeRef, answer: TimelessAnswer) => TimelessAnswer = (_, answer) => answer;
  /** Called before each look-up, and may throw. */
  onLookup: () => void = () => {};
  /** Notifies the watcher that these instances may have changed. */
  hint: (keys: readonly InstanceKey[]) => void = () => {};
  readonly #clock: Clock;
  readonly #states = new Map<string, Instance['state']>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(providerID: string, state: Instance['state']): void {
    this.#states.set(providerID, state);
  }

  remove(providerID: string): void {
    this.#states.delete(providerID);
  }

  stateOf(providerID: string): Instance['state'] | undefined {
    return this.#states.get(providerID);
  }

  identify(providerID: string): string | undefined {
    return providerID.startsWith('test://') ? providerID : undefined;
  }

  watch(onChange: (keys: readonly InstanceKey[]) => void): void {
    this.hint = onChange;
  }

  async lookup(
    nodes: readonly NodeRef[],
    { maxAgeMs }: LookupOptions,
  ): Promise<ReadonlyMap<string, LookupAnswer>> {
    this.lookups++;
    this.onLookup();
    const freshness = maxAgeMs === 0 ? 'authoritative' : 'cached';
    return new Map(nodes.map((node) => [node.name, this.#answer(node, freshness)]));
  }

  #answer(node: NodeRef, freshness: RecordedAnswer['freshness']): LookupAnswer {
    const providerID = node.providerID || providerIDOf(node.name);
    const state = this.#states.get(providerID);
    const truth: TimelessAnswer =
      state === undefined
        ? { kind: 'absent' }
        : { kind: 'found', instance: { ...plain, providerID, state } };
    const answer = this.bend(node, truth);
    const { uid } = node;
    const atMs = this.#clock.monotonic();
    this.answers.push({
      atMs,
      uid,
      providerID: node.providerID,
      freshness,
      kind: answer.kind,
    });
    const isTimeless = answer.kind === 'unknown' || answer.kind === 'notOurs';
    return isTimeless ? answer : { ...answer, asOfMs: atMs };
  }
}

export function providerIDOf(name: string): string {
  return `test:///${name}`;
}

const plain = { addresses: [], labels: {}, podBlocks: { IPv4: [], IPv6: [] } };
