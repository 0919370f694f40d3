import assert from 'node:assert/strict';
import { parseRetryAfter } from './backoff.ts';

const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0);

describe('parseRetryAfter', () => {
  const cases: { given: string | undefined; want: number | undefined }[] = [
    { given: undefined, want: undefined },
    { given: '', want: undefined },
    { given: 'soon', want: undefined },
    { given: '-1', want: undefined },
    { given: '1.5', want: undefined },
    { given: '99999999999999999999', want: undefined },
    { given: '0', want: 0 },
    { given: ' 3 ', want: 3_000 },
    { given: 'Thu, 01 Jan 2026 12:00:10 GMT', want: 10_000 },
    { given: 'Thu, 01 Jan 2026 11:59:00 GMT', want: 0 },
  ];
  for (const { given, want } of cases) {
    it(`${want === undefined ? 'ignores' : `reads as ${want} ms:`} "${given}"`, () => {
      assert.equal(parseRetryAfter(given, nowMs), want);
    });
  }
});
