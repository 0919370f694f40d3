/**
 * One state for each set of label values of a metric, found by going from value to value: nothing is joined
 * or hashed that was not hashed before, because metrics are touched several times for every request.
 */
export type LabelValues<Label extends string> = Readonly<Record<Label, string>>;

export type LabelPairs = readonly (readonly [name: string, value: string])[];

interface Place<State> {
  readonly below: Map<string, Place<State>>;
  state: State | undefined;
}

export class Series<State> {
  readonly #names: readonly string[];
  readonly #create: () => State;
  #root: Place<State> = aPlace();
  #list: { readonly labels: LabelPairs; readonly state: State }[] = [];

  constructor(names: readonly string[], create: () => State) {
    this.#names = names;
    this.#create = create;
    // What has no labels is there from the beginning.
    if (names.length === 0) this.whole();
  }

  /** Of a metric without labels. */
  whole(): State {
    return this.#root.state ?? this.#begin(this.#root, {});
  }

  of(labels: LabelValues<string>): State {
    let place = this.#root;
    for (const name of this.#names) {
      const value = labels[name] ?? '';
      let next = place.below.get(value);
      if (next === undefined) {
        next = aPlace();
        place.below.set(value, next);
      }
      place = next;
    }
    return place.state ?? this.#begin(place, labels);
  }

  /** In the order in which they were first touched. */
  list(): readonly { readonly labels: LabelPairs; readonly state: State }[] {
    return this.#list;
  }

  clear(): void {
    this.#root = aPlace();
    this.#list = [];
  }

  #begin(place: Place<State>, labels: LabelValues<string>): State {
    const state = this.#create();
    place.state = state;
    const pairs = this.#names.map((name) => [name, labels[name] ?? ''] as const);
    this.#list.push({ labels: pairs, state });
    return state;
  }
}

function aPlace<State>(): Place<State> {
  return { below: new Map(), state: undefined };
}
