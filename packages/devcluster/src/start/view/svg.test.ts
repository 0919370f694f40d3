import assert from 'node:assert/strict';
import { toSvg } from './svg.ts';

describe('a line in the picture', () => {
  it('has each piece at its column, without the spaces that renderers drop', () => {
    const picture = toSvg(
      [
        [
          { text: 'ab', tone: 'strong' },
          { text: '   cd ', tone: 'plain' },
          { text: '  ', tone: 'plain' },
          { text: '<e>', tone: 'dim' },
        ],
      ],
      'a title',
    );
    const pieces = [
      ...picture.matchAll(/<text x="([\d.]+)" .*textLength="([\d.]+)".*>(.*)<\/text>/g),
    ];
    assert.deepEqual(
      pieces.map(([, x, length, text]) => ({ x, length, text })),
      [
        { x: '16.0', length: '15.6', text: 'ab' },
        { x: '55.0', length: '15.6', text: 'cd' },
        { x: '94.0', length: '23.4', text: '&lt;e&gt;' },
      ],
    );
  });
});
