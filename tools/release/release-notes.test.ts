import assert from 'node:assert/strict';
import { releaseNotes, sectionOf } from './release-notes.ts';

const changelog = `# Changelog

## Unreleased

## 1.2.0 (2026-12-01)

- See [the guide](guides/aws.md#3-x), [the chart](../manifests/chart/README.md) and [a page](https://example.com).
  A second line.

## 1.1.0

- Older.
`;

describe('the notes of a release', () => {
  const cases = [
    { title: '1.1.0', want: '- Older.' },
    { title: 'Unreleased', want: undefined },
    { title: '1.1', want: undefined },
    { title: '2.0.0', want: undefined },
  ];
  for (const { title, want } of cases) {
    it(`for ${title} are ${want === undefined ? 'missing' : 'its section of the changelog'}`, () => {
      assert.equal(sectionOf(changelog, title), want);
    });
  }

  it('link to the files of the tag', () => {
    const notes = releaseNotes(sectionOf(changelog, '1.2.0') ?? '', 'https://x.test/blob/v1.2.0');
    const links = [...notes.matchAll(/\]\((\S+?)\)/g)].map(([, link]) => link);
    assert.deepEqual(links, [
      'https://x.test/blob/v1.2.0/docs/guides/aws.md#3-x',
      'https://x.test/blob/v1.2.0/manifests/chart/README.md',
      'https://example.com',
    ]);
    assert.ok(notes.endsWith('\n  A second line.\n'));
  });
});
