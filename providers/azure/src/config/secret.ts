/** A text that must never be shown: whatever prints or serialises the object gets a placeholder. */
const placeholder = '[secret]';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** For the one call that needs it. */
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
