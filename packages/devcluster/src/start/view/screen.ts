/**
 * The screen of a terminal. It writes only changed lines, all in one write and each in place, so that nothing
 * flickers and neither a resize nor typed text can shift a line. It uses the alternate screen: closing it restores
 * the terminal.
 */
import type { Line } from './line.ts';
import { toText, type Colours } from './ansi.ts';

const enter = '\u001b[?1049h\u001b[?25l';
const leave = '\u001b[?25h\u001b[?1049l';
const clearAll = '\u001b[2J';
const home = '\u001b[H';
const clearToEndOfLine = '\u001b[K';
/** Terminals that know these sequences show everything between them at once; others ignore them. */
const together = { begin: '\u001b[?2026h', end: '\u001b[?2026l' };

export class Screen {
  readonly #write: (text: string) => unknown;
  readonly #colours: Colours;
  #isOpen = false;
  /** The lines on the screen, from the top. */
  #shown: readonly string[] = [];

  constructor(write: (text: string) => unknown, colours: Colours) {
    this.#write = write;
    this.#colours = colours;
  }

  /** Opens the screen, or clears an open one. The next frame is drawn whole. */
  open(): void {
    this.#write(`${this.#isOpen ? '' : enter}${clearAll}`);
    this.#isOpen = true;
    this.#shown = [];
  }

  /** Writes the lines that have changed. */
  draw(lines: readonly Line[]): void {
    if (!this.#isOpen) return;
    const texts = lines.map((line) => toText(line, this.#colours));
    const height = Math.max(texts.length, this.#shown.length);
    const changes: string[] = [];
    for (let index = 0; index < height; index++) {
      const text = texts[index] ?? '';
      if (text === (this.#shown[index] ?? '')) continue;
      changes.push(`\u001b[${index + 1};1H${text}${clearToEndOfLine}`);
    }
    this.#shown = texts;
    if (changes.length > 0)
      this.#write(`${together.begin}${changes.join('')}${home}${together.end}`);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#write(leave);
  }
}
