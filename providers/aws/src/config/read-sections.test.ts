import assert from 'node:assert/strict';
import { readSections } from './read-sections.ts';

describe('sections of a cloud.conf', () => {
  const entriesOf = (text: string): string[] => {
    const read = readSections(`[Global]\n${text}`);
    assert(read.kind === 'read', JSON.stringify(read));
    return read.sections.flatMap(({ entries }) =>
      entries.map(({ key, value }) => `${key}=${value}`),
    );
  };

  const cases = [
    { text: 'Zone = eu-west-1a', want: ['Zone=eu-west-1a'] },
    { text: '  Zone=eu-west-1a  ', want: ['Zone=eu-west-1a'] },
    { text: 'Zone = eu-west-1a # here', want: ['Zone=eu-west-1a'] },
    { text: 'Zone = eu-west-1a;here', want: ['Zone=eu-west-1a'] },
    { text: 'Zone = "eu # west"', want: ['Zone=eu # west'] },
    { text: String.raw`Zone = "a \"b\" \\ c"`, want: [String.raw`Zone=a "b" \ c`] },
    { text: 'Zone = a "b ; c" d ; e', want: ['Zone=a b ; c d'] },
    { text: 'Zone =', want: ['Zone='] },
    { text: 'Flag', want: ['Flag=true'] },
    { text: 'A=1\nA=2\na=3', want: ['A=1', 'A=2', 'a=3'] },
    { text: '# nothing\n\n; nothing', want: [] },
    { text: 'URL = https://ec2.example.com/?a=b', want: ['URL=https://ec2.example.com/?a=b'] },
  ];
  for (const { text, want } of cases) {
    it(`have ${JSON.stringify(want)} of ${JSON.stringify(text)}`, () =>
      assert.deepEqual(entriesOf(text), want));
  }

  it('have a name in any case, and a title in quotes', () => {
    const read = readSections(
      '\uFEFF[GLOBAL]\r\na=1\r\n[ServiceOverride "The 1st"] # x\r\nb=2\r\n',
    );
    assert(read.kind === 'read');
    assert.deepEqual(
      read.sections.map(({ name, title, entries }) => [name, title, entries]),
      [
        ['global', '', [{ key: 'a', value: '1', line: 2 }]],
        ['serviceoverride', 'The 1st', [{ key: 'b', value: '2', line: 4 }]],
      ],
    );
  });

  const malformed = [
    { text: 'Zone = a', line: 1, problem: 'is not in a section' },
    { text: '[Global', line: 1, problem: 'is not a valid section' },
    { text: '[Global] Zone=a', line: 1, problem: 'is not a valid section' },
    { text: '[Global]\n= a', line: 2, problem: 'is not of the form key = value' },
    { text: '[Global]\n\nZone: a', line: 3, problem: 'is not of the form key = value' },
    { text: '[Global]\nZone = "a', line: 2, problem: 'has a quote that does not end' },
  ];
  for (const { text, line, problem } of malformed) {
    it(`are told by their line where it ${problem}: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readSections(text), { kind: 'invalid', line, problem }));
  }
});
