/**
 * A cloud whose instances a test makes, stops and removes, and whose answers it may bend. It keeps the
 * record of all that it said, which is what the laws of deletion are held against.
 */
import type {
  Instance,
  LookupAnswer,
  LookupOptions,
  NodeRef,
  Provider,
} from '@tandem/provider/plug';
import type { Clock } from '@tandem/runtime';

export interface Said {
  readonly atMs: number;
  readonly uid: string;
  readonly providerID: string;
  readonly freshness: LookupOptions['freshness'];
  readonly kind: LookupAnswer['kind'];
}

export class ScriptedCloud implements Provider {
  readonly name = 'scripted';
  readonly said: Said[] = [];
  lookups = 0;
  /** Makes of the true answer what the cloud says instead. */
  bend: (node: NodeRef, answer: LookupAnswer) => LookupAnswer = (_, answer) => answer;
  /** Called before each look-up, and may throw. */
  onLookup: () => void = () => {};
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

  owns(providerID: string): boolean {
    return providerID.startsWith('test://');
  }

  async lookup(
    nodes: readonly NodeRef[],
    { freshness }: LookupOptions,
  ): Promise<ReadonlyMap<string, LookupAnswer>> {
    this.lookups++;
    this.onLookup();
    return new Map(nodes.map((node) => [node.name, this.#answer(node, freshness)]));
  }

  #answer(node: NodeRef, freshness: LookupOptions['freshness']): LookupAnswer {
    const providerID = node.providerID || providerIDOf(node.name);
    const state = this.#states.get(providerID);
    const truth: LookupAnswer =
      state === undefined
        ? { kind: 'absent' }
        : { kind: 'found', instance: { ...plain, providerID, state } };
    const answer = this.bend(node, truth);
    const { uid } = node;
    this.said.push({
      atMs: this.#clock.monotonic(),
      uid,
      providerID: node.providerID,
      freshness,
      kind: answer.kind,
    });
    return answer;
  }
}

export function providerIDOf(name: string): string {
  return `test:///${name}`;
}

const plain = { addresses: [], labels: {}, podCIDRs: [] };
