import assert from 'node:assert/strict';
import { readGuide, showsLines } from './read-guide.ts';

const page = `# A guide

<!-- guide: a terminal of its own -->

\`\`\`sh
serve
\`\`\`

Then:

\`\`\`sh
first
second
\`\`\`

\`\`\`text
done
\`\`\`

For illustration:

\`\`\`text
something else
\`\`\`

\`\`\`yaml
sh: no
\`\`\`

1. In a list:

   \`\`\`sh
   third \\
     more
   \`\`\`
`;

describe('the steps of a guide', () => {
  it('are its commands in order, each with the output right below', () => {
    assert.deepEqual(readGuide(page), [
      { line: 5, commands: 'serve', expected: [], ownTerminal: true },
      { line: 11, commands: 'first\nsecond', expected: ['done'], ownTerminal: false },
      { line: 32, commands: 'third \\\n  more', expected: [], ownTerminal: false },
    ]);
  });

  const output = 'NAME   IPS\nnode-0   10.0.0.1\nnode-1   10.0.0.2\nSynced   2m13s   node\n';
  const cases = [
    { name: 'some of its lines, in order', expected: ['NAME IPS', 'node-1 10.0.0.2'], want: true },
    { name: 'a part that varies', expected: ['node-…   10.0.0.1'], want: true },
    { name: 'another age', expected: ['Synced 8s node'], want: true },
    { name: 'another order', expected: ['node-1 10.0.0.2', 'node-0 10.0.0.1'], want: false },
    { name: 'a line that is not there', expected: ['node-2 10.0.0.3'], want: false },
    { name: 'half of a line', expected: ['node-1'], want: false },
    { name: 'a dot as a dot', expected: ['node-1 10x0.0.2'], want: false },
  ];
  for (const { name, expected, want } of cases) {
    it(`${want ? 'accept' : 'reject'} ${name}`, () => {
      assert.equal(showsLines(output, expected), want);
    });
  }
});
