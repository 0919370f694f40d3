import assert from 'node:assert/strict';
import { isRunningOut } from './remaining-calls.ts';

describe('the calls that Azure says are left', () => {
  const reads = 'x-ms-ratelimit-remaining-subscription-reads';
  const writes = 'x-ms-ratelimit-remaining-subscription-writes';
  const resource = 'x-ms-ratelimit-remaining-resource';
  const cases: {
    readonly name: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly want: readonly [ofReads: boolean, ofWrites: boolean];
  }[] = [
    { name: 'are enough where Azure says nothing', headers: {}, want: [false, false] },
    { name: 'are enough while there are many', headers: { [reads]: '249' }, want: [false, false] },
    { name: 'run out for reads alone', headers: { [reads]: '24' }, want: [true, false] },
    { name: 'run out for writes alone', headers: { [writes]: '9' }, want: [false, true] },
    {
      name: 'run out when the lowest count of a resource provider is low',
      headers: { [resource]: 'Microsoft.Compute/A3Min;197,Microsoft.Compute/A30Min;9' },
      want: [true, true],
    },
    {
      name: 'are enough when the headers cannot be read',
      headers: { [reads]: '', [resource]: 'x;y,;,' },
      want: [false, false],
    },
  ];
  for (const { name, headers, want } of cases) {
    it(name, () => {
      const given = { get: (header: string): string | undefined => headers[header] };
      assert.deepEqual([isRunningOut(given, false), isRunningOut(given, true)], want);
    });
  }
});
