/** A text that must never be shown: printing or serialising the object gives a placeholder. */
const placeholder = '[secret]';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the text, for the one call that needs it. */
  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return placeholder;
  }

  toJSON(): string {
    return placeholder;
  }
}
