/** A terminal for the screen: it keeps what it would show. */
import type { Size } from './frame.ts';
import type { Terminal } from './live-view.ts';

export class FakeTerminal implements Terminal {
  /** The number of characters written so far. */
  written = 0;
  /** The number of lines that were too long. */
  wrapped = 0;
  readonly #resized = new Set<() => void>();
  readonly #suspended = new Set<() => void>();
  #size: Size;
  #lines: string[] = [];
  #row = 0;
  #isAlternate = false;
  #isCursorHidden = false;

  constructor(size: Size) {
    this.#size = size;
  }

  get text(): string {
    return this.#lines.map((line) => line.trimEnd()).join('\n');
  }

  get state(): { readonly isAlternate: boolean; readonly isCursorHidden: boolean } {
    return { isAlternate: this.#isAlternate, isCursorHidden: this.#isCursorHidden };
  }

  size(): Size {
    return this.#size;
  }

  onResize(listener: () => void): () => void {
    this.#resized.add(listener);
    return () => this.#resized.delete(listener);
  }

  onSuspend(listener: () => void): () => void {
    this.#suspended.add(listener);
    return () => this.#suspended.delete(listener);
  }

  resize(size: Size): void {
    this.#size = size;
    for (const listener of this.#resized) listener();
  }

  suspend(): void {
    for (const listener of this.#suspended) listener();
  }

  write(text: string): void {
    this.written += text.length;
    for (const [, parameters, command, plain] of text.matchAll(pattern)) {
      if (plain === undefined) this.#obey(parameters ?? '', command ?? '');
      else this.#put(plain);
    }
  }

  #obey(parameters: string, command: string): void {
    if (parameters === '?1049') this.#isAlternate = command === 'h';
    else if (parameters === '?25') this.#isCursorHidden = command === 'l';
    else if (command === 'J') this.#lines = [];
    else if (command === 'H') {
      this.#row = Number(parameters.split(';')[0] || 1) - 1;
      // The screen always writes whole lines.
      if (parameters !== '') this.#lines[this.#row] = '';
    }
  }

  #put(plain: string): void {
    const line = (this.#lines[this.#row] ?? '') + plain;
    if (line.length >= this.#size.columns) this.wrapped++;
    while (this.#lines.length < this.#row) this.#lines.push('');
    this.#lines[this.#row] = line;
  }
}

/** A control sequence, or text up to the next one. */
const escape = '\u001b';
const pattern = new RegExp(`${escape}\\[([?\\d;]*)([A-Za-z])|([^${escape}]+)`, 'g');
