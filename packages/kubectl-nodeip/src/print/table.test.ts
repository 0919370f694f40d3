import assert from 'node:assert/strict';
import { printTable } from './table.ts';

describe('a table for people', () => {
  const shown = (text: string): string =>
    printTable([text], [{ title: 'MESSAGE', cell: (row) => row }], { isWide: false });

  const cells: readonly [about: string, text: string, cell: string][] = [
    ['quotes as they are', 'Request "IPv6" is refused', 'Request "IPv6" is refused'],
    ['a dash for nothing', '', '-'],
    ['a line break as its code', 'a\nb', 'a\\u{a}b'],
    ['what a terminal would obey as its code', '\u001b[31m"', '\\u{1b}[31m"'],
  ];
  for (const [about, text, cell] of cells) {
    it(`shows ${about}`, () => assert.equal(shown(text), `MESSAGE\n${cell}\n`));
  }
});
