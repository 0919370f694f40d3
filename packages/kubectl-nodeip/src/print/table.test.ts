import assert from 'node:assert/strict';
import { printTable } from './table.ts';

describe('a printed table', () => {
  const shown = (text: string): string =>
    printTable([text], [{ title: 'MESSAGE', cell: (row) => row }], { isWide: false });

  const cells: readonly [about: string, text: string, cell: string][] = [
    ['quotes as they are', 'Request "IPv6" is refused', 'Request "IPv6" is refused'],
    ['a dash for an empty cell', '', '-'],
    ['a line break as an escape sequence', 'a\nb', 'a\\u{a}b'],
    ['a control character as an escape sequence', '\u001b[31m"', '\\u{1b}[31m"'],
  ];
  for (const [about, text, cell] of cells) {
    it(`shows ${about}`, () => assert.equal(shown(text), `MESSAGE\n${cell}\n`));
  }
});
