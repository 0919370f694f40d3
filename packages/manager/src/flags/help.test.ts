import assert from 'node:assert/strict';
import { synopsis } from '@tandem/cli/flags';
import { flagGroups } from './flag-table.ts';
import { helpText } from './help.ts';

describe('--help', () => {
  const text = helpText(flagGroups);

  it('lists every flag with its default, our own flags first', () => {
    const lines = text.split('\n');
    for (const flag of flagGroups.flatMap((group) => group.flags)) {
      assert.ok(lines.includes(`  ${synopsis(flag)}`), flag.name);
    }
    assert.ok(text.indexOf('--dry-run') < text.indexOf('--cloud-config file'));
    assert.match(text, /-v, --v int\n/);
    assert.match(text, /--secure-port int\n {8}[^-]*\(default: 10258\)/);
    assert.match(text, /--cloud-provider string\n[^-]*\(required\)/);
  });

  it('groups the flags of each controller, upstream’s and our own', () => {
    const groupOf = (name: string): string | undefined =>
      flagGroups.find(({ flags }) => flags.some((flag) => flag.name === name))?.title;
    const cases = [
      { group: 'Cloud node controller', flag: 'node-status-update-frequency' },
      { group: 'Cloud node controller', flag: 'refresh-labels' },
      { group: 'Cloud node lifecycle controller', flag: 'node-monitor-period' },
      { group: 'Cloud node lifecycle controller', flag: 'node-deletion-brake' },
      { group: 'Node IPAM controller', flag: 'allocate-node-cidrs' },
      { group: 'Node IPAM controller', flag: 'node-cidr-mask-size-ipv6' },
      { group: 'Node route controller', flag: 'configure-cloud-routes' },
      { group: 'Node route controller', flag: 'route-reconciliation-period' },
    ];
    for (const { group, flag } of cases) {
      assert.equal(groupOf(flag), group, flag);
      assert.ok(text.includes(`${group} flags:`), group);
    }
  });

  it('names the low defaults of upstream that Tandem does not have', () => {
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
