import assert from 'node:assert/strict';
import { synopsis } from '@tandem/cli/flags';
import { flagGroups } from './flag-table.ts';
import { helpText } from './help.ts';

describe('--help', () => {
  const text = helpText(flagGroups);

  it('has every flag with its default, our own first', () => {
    const lines = text.split('\n');
    for (const flag of flagGroups.flatMap((group) => group.flags)) {
      assert.ok(lines.includes(`  ${synopsis(flag)}`), flag.name);
    }
    assert.ok(text.indexOf('--dry-run') < text.indexOf('--cloud-config file'));
    assert.match(text, /-v, --v int\n/);
    assert.match(text, /--secure-port int\n {8}[^-]*\(default: 10258\)/);
    assert.match(text, /--cloud-provider string\n[^-]*\(required\)/);
  });

  it('says which low defaults of upstream are not imposed', () => {
    assert.match(
      text,
      /--concurrent-node-syncs \(upstream: 1\) and --kube-api-qps \(upstream: 20\)/,
    );
    assert.match(text, /\(default: no limit; upstream: 20\)/);
  });

  it('fits into 100 columns of plain characters, and ends with examples', () => {
    for (const line of text.split('\n')) assert.match(line, /^[ -~]{0,100}$/);
    assert.ok(text.indexOf('Examples:') > text.indexOf('Global flags:'));
  });
});
