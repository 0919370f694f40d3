import assert from 'node:assert/strict';
import { span } from './line.ts';
import { Screen } from './screen.ts';

function opened(colours: 'colours' | 'none' = 'none'): { screen: Screen; written: string[] } {
  const written: string[] = [];
  const screen = new Screen((text) => written.push(text), colours);
  screen.open();
  return { screen, written };
}

const lines = (...texts: string[]) => texts.map((text) => [span(text, 'good')]);

describe('drawing on a terminal', () => {
  it('writes only changed lines, in place and in one write', () => {
    const { screen, written } = opened();
    screen.draw(lines('one', 'two', 'three'));
    written.length = 0;
    screen.draw(lines('one', '2', 'three'));
    assert.deepEqual(written, ['\u001b[?2026h\u001b[2;1H2\u001b[K\u001b[H\u001b[?2026l']);
  });

  it('writes nothing when nothing has changed', () => {
    const { screen, written } = opened();
    screen.draw(lines('one'));
    written.length = 0;
    screen.draw(lines('one'));
    assert.deepEqual(written, []);
  });

  it('clears lines that the next frame does not have', () => {
    const { screen, written } = opened();
    screen.draw(lines('one', 'two'));
    screen.draw(lines('one'));
    assert.ok(written.at(-1)?.includes('\u001b[2;1H\u001b[K'));
  });

  it('draws everything again after it is reopened', () => {
    const { screen, written } = opened();
    screen.draw(lines('one'));
    screen.open();
    screen.draw(lines('one'));
    assert.match(written.at(-1) ?? '', /one/);
  });

  it('restores the terminal and its cursor once', () => {
    const { screen, written } = opened();
    assert.ok(written[0]?.includes('\u001b[?1049h\u001b[?25l'));
    screen.close();
    screen.close();
    assert.equal(written.filter((text) => text === '\u001b[?25h\u001b[?1049l').length, 1);
    screen.draw(lines('late'));
    assert.doesNotMatch(written.join(''), /late/);
  });

  it('writes colours only where they are on', () => {
    const [coloured, plain] = [opened('colours'), opened('none')];
    for (const { screen } of [coloured, plain]) screen.draw(lines('x'));
    assert.ok(coloured.written.join('').includes('\u001b[32mx\u001b[0m'));
    assert.doesNotMatch(plain.written.join(''), /\[\d*m/);
  });
});
