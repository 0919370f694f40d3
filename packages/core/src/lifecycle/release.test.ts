import assert from 'node:assert/strict';
import { exampleRelease, readRelease } from './release.ts';

const noonMs = Date.UTC(2026, 0, 31, 12);

describe('a release of the brake', () => {
  const cases: { name: string; value: string | undefined; want: string }[] = [
    { name: 'is none without an annotation', value: undefined, want: 'none' },
    { name: 'holds until its time', value: '2026-01-31T12:00:01Z', want: 'lifted' },
    { name: 'expires at its time', value: '2026-01-31T12:00:00Z', want: 'expired' },
    { name: 'may have fractions', value: '2026-01-31T12:00:00.001Z', want: 'lifted' },
    { name: 'may be in another zone', value: '2026-01-31T12:30:00+01:00', want: 'expired' },
    { name: 'may be in lower case', value: '2026-01-31t13:00:00z', want: 'lifted' },
    { name: 'is malformed without a zone', value: '2026-01-31T13:00:00', want: 'malformed' },
    { name: 'is malformed as a date', value: '2027-01-31', want: 'malformed' },
    { name: 'is malformed as a word', value: 'true', want: 'malformed' },
    {
      name: 'is malformed on a day that does not exist',
      value: '2026-02-30T12:00:00Z',
      want: 'malformed',
    },
    { name: 'is malformed when empty', value: '', want: 'malformed' },
    {
      name: 'is malformed with an impossible time',
      value: '2026-13-41T99:00:00Z',
      want: 'malformed',
    },
  ];
  for (const { name, value, want } of cases) {
    it(name, () => assert.equal(readRelease(value, noonMs).kind, want));
  }

  it('has an example that releases the brake for one to two hours', () => {
    for (const nowMs of [noonMs, noonMs + 1, noonMs + 3_599_999, noonMs - 1]) {
      const release = readRelease(exampleRelease(nowMs), nowMs);
      assert.ok(release.kind === 'lifted');
      const forMs = release.untilMs - nowMs;
      assert.ok(forMs >= 3_600_000 && forMs < 7_200_000, String(forMs));
    }
    assert.equal(exampleRelease(noonMs + 1), exampleRelease(noonMs + 3_599_999));
  });

  it('gives the expected format if it is malformed', () => {
    assert.deepEqual(readRelease('tomorrow', noonMs), {
      kind: 'malformed',
      problem: 'tandem.dev/release-deletion-brake must be a time such as 2026-01-31T13:00:00Z',
    });
  });
});
