/**
 * The troubles with the times that ship. They began with the quick ones of `operate/trouble.test.ts` and have
 * gone on beside those; here somebody waits for them.
 */
import assert from 'node:assert/strict';
import type { AuditEntry } from '../control-plane/index.ts';
import { rootOf } from '../control-plane/mocha.ts';
import { useInstallation } from './manager/installation.ts';
import { termsIn } from './operate/holders-only.ts';
import { troublesInRealTimes } from './operate/real-times.ts';

describe('managers in trouble, with the times that ship', function () {
  this.timeout(300_000);
  // Asked for only to be skipped where there are no programs to run.
  useInstallation();

  it('hand over the Lease, report what happened, and write nothing once it is lost', async function () {
    await troublesInRealTimes(rootOf(this));
  });

  it('exit 1 after one look of a dry run that is refused, with a summary that says so', async function () {
    const { text, json } = await troublesInRealTimes(rootOf(this));
    for (const look of [text, json]) assert.equal(look.exit?.code, 1, look.tail);
    const why = /The manager did not get the list of nodes: .* 401 .*\d\.kubeconfig/;
    assert.match(text.stdout, /^Dry run: result unknown\. /);
    assert.match(text.stdout, why);
    assert.match(text.stderr, /Dry run: waiting for the list of nodes".*\(401\)/);
    const { result, reason } = JSON.parse(json.stdout);
    assert.equal(result, 'unknown');
    assert.match(reason, why);
  });

  it('would be caught by the record if they did', () => {
    const at = (second: number, user: string, resource: string, code = 200): AuditEntry => ({
      verb: 'update',
      requestURI: '',
      user: { username: user },
      objectRef: { resource },
      responseStatus: { code },
      requestReceivedTimestamp: `2026-01-31T12:00:0${second}.000000Z`,
    });
    const fair = [
      at(1, 'a', 'leases'),
      at(2, 'a', 'nodes'),
      at(3, 'b', 'leases'),
      at(4, 'a', 'nodes', 409),
      at(5, 'a', 'subjectaccessreviews'),
      at(6, 'b', 'nodes'),
    ];
    assert.deepEqual(
      termsIn(fair).map(({ user, writes }) => [user, writes.length]),
      [
        ['a', 1],
        ['b', 1],
      ],
    );
    assert.throws(() => termsIn([...fair, at(7, 'a', 'events')]), /update events/);
    assert.throws(() => termsIn([at(0, 'a', 'nodes'), ...fair]), /update nodes/);
  });
});
