import assert from 'node:assert/strict';
import { readSections, type Section } from './read-sections.ts';
import { Problems } from './values.ts';

describe('sections of a cloud.conf', () => {
  const entriesOf = (text: string): string[] => {
    const { sections, problems } = read(`[Global]\n${text}`);
    assert.deepEqual(problems, []);
    return sections.flatMap(({ entries }) => entries.map(({ key, value }) => `${key}=${value}`));
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
    { text: 'Flag', want: ['Flag='] },
    { text: 'Flag # on', want: ['Flag='] },
    { text: 'Flag;on', want: ['Flag='] },
    { text: 'Zone = eu-\\\nwest-1a\nA=1', want: ['Zone=eu-west-1a', 'A=1'] },
    { text: 'Zone = eu-\\\r\n west-1a # \\\r\nA=1', want: ['Zone=eu- west-1a', 'A=1'] },
    { text: '# no \\\nA=1', want: ['A=1'] },
    { text: '# f\uFFFDr\nA=1', want: ['A=1'] },
    { text: 'A=1\nA=2\na=3', want: ['A=1', 'A=2', 'a=3'] },
    { text: '# nothing\n\n; nothing', want: [] },
    { text: 'URL = https://ec2.example.com/?a=b', want: ['URL=https://ec2.example.com/?a=b'] },
  ];
  for (const { text, want } of cases) {
    it(`have ${JSON.stringify(want)} for ${JSON.stringify(text)}`, () =>
      assert.deepEqual(entriesOf(text), want));
  }

  it('have a name in any letter case, and a title in quotes', () => {
    const text = '\uFEFF[GLOBAL]\r\na=1\r\n[ServiceOverride "The 1st"] # x\r\nb=2\r\n';
    assert.deepEqual(read(text).sections, [
      { name: 'global', title: '', line: 1, entries: [{ key: 'a', value: '1', line: 2 }] },
      {
        name: 'serviceoverride',
        title: 'The 1st',
        line: 3,
        entries: [{ key: 'b', value: '2', line: 4 }],
      },
    ]);
  });

  const malformed = [
    { text: 'Zone = a', line: 1, problem: 'this line is not in a section' },
    { text: '[Global', line: 1, problem: 'this line is not a valid section' },
    { text: '[Global] Zone=a', line: 1, problem: 'this line is not a valid section' },
    { text: '[Global]\n= a', line: 2, problem: 'this line is not of the form key = value' },
    { text: '[Global]\n\nZone: a', line: 3, problem: 'this line is not of the form key = value' },
    { text: '[Global]\nZone = "a', line: 2, problem: 'Zone has a quote that does not end' },
    {
      text: '[Global]\nA=1\\\n2\nZone: a',
      line: 4,
      problem: 'this line is not of the form key = value',
    },
    { text: '[Global]\nZone = bl\uFFFDu', line: 2, problem: 'this line is not text in UTF-8' },
    { text: '[Global]\nZone = a\0', line: 2, problem: 'this line is not text in UTF-8' },
  ];
  for (const { text, line, problem } of malformed) {
    it(`are refused with the line number and "${problem}": ${JSON.stringify(text)}`, () =>
      assert.deepEqual(read(text).problems, [`line ${line}: ${problem}`]));
  }
});

function read(text: string): {
  readonly sections: readonly Section[];
  readonly problems: readonly string[];
} {
  const problems = new Problems();
  return { sections: readSections(text, problems), problems: problems.texts };
}
