/** Tests the output and the exit code of `audit` when it cannot check everything. */
import assert from 'node:assert/strict';
import { uninitializedTaint } from '@tandem/core/node-init';
import type { NodeProjection } from '@tandem/kube/node';
import { aNode } from '../a-node.fixture.ts';
import { exitUnread } from '../exit-codes.ts';
import { CommandError } from '../live/ports.ts';
import type { Live } from '../live/run-live.ts';
import { auditCommand } from './run-audit.ts';

const nowMs = 10 * 60_000;

const taints = [{ key: uninitializedTaint, value: 'true', effect: 'NoSchedule' }];
const waiting = aNode({ name: 'waits', taints, addresses: [] });
const bare = aNode({ name: 'bare', uid: 'uid-2', providerID: 'cloud://2', addresses: [] });

interface AuditCase {
  readonly nodes: readonly NodeProjection[];
  /** `unreached` does not answer; `none` means `--no-manager`. */
  readonly manager: 'none' | 'unreached' | 'dryRun' | 'write';
  readonly output?: Live['output'];
}

/** The user of this cluster may not read events. */
async function audit({ nodes, manager, output = 'text' }: AuditCase) {
  const written = { output: '', errors: '' };
  const streams = {
    output: { write: (text: string) => (written.output += text) !== '', once: () => undefined },
    errors: { write: (text: string) => (written.errors += text) !== '', once: () => undefined },
  };
  const settings = {
    policies: [],
    exclusions: [],
    gates: { CloudNodeIPs: true },
    routes: null,
  };
  const tell = async (name: string) => {
    if (manager === 'none' || manager === 'unreached')
      return { kind: 'unreached', problem: 'no answer' };
    if (name !== 'nodes') return { kind: 'off', problem: 'it does not run' };
    return { kind: 'told', summary: { mode: manager, settings }, items: [], nowMs };
  };
  const cluster = {
    nodes: async () => nodes,
    list: () => Promise.reject(new CommandError(exitUnread, 'events is forbidden')),
  };
  const live = {
    cluster,
    manager: { via: 'a test', isWanted: manager !== 'none', tell },
    streams,
    output,
    nowMs,
  } as unknown as Live;
  return { exitCode: await auditCommand.run(live), ...written };
}

describe('an audit that cannot check everything', () => {
  it('shows the breaches that it found without the right to read events', async () => {
    const { exitCode, output, errors } = await audit({ nodes: [waiting, bare], manager: 'none' });
    assert.equal(exitCode, 1);
    assert.match(output, /TaintGoneWithoutAddresses +bare/);
    assert.doesNotMatch(output, /WaitingWithoutReason/);
    assert.match(errors, /^warning: events is forbidden$/m);
    assert.match(errors, /Not checked: .*events of refusals, events of nodes that wait\./);
    assert.doesNotMatch(errors, /manager's view/);
  });

  it('points to -o wide for the remedies of breaches', async () => {
    const withBreach = { nodes: [bare], manager: 'write' } as const;
    assert.match(
      (await audit(withBreach)).errors,
      /^Breaches: 1\. .* -o wide shows what to do\.$/m,
    );
    const wide = await audit({ ...withBreach, output: 'wide' });
    assert.doesNotMatch(wide.errors, /-o wide/);
    assert.match(wide.output, /REMEDY/);
  });

  for (const manager of ['none', 'write', 'dryRun'] as const) {
    it(`exits with 4 if it found no breach but could not read events (manager: ${manager})`, async () => {
      const { exitCode, errors } = await audit({ nodes: [waiting], manager });
      assert.equal(exitCode, 4);
      assert.match(errors, /^No breach found\. Nodes checked: 1\. Not checked: /m);
      assert.equal(errors.match(/events of refusals/g)?.length, 1);
      assert.match(errors, /events of nodes that wait/);
    });
  }

  const healthy = aNode({});
  const endings = [
    { manager: 'unreached', nodes: [healthy], want: 4, name: 'the manager does not answer' },
    { manager: 'none', nodes: [healthy], want: 0, name: '--no-manager limits it to the objects' },
    { manager: 'write', nodes: [healthy], want: 0, name: 'everything was checked' },
    {
      manager: 'unreached',
      nodes: [healthy, bare],
      want: 1,
      name: 'the manager does not answer but there is a breach',
    },
  ] as const;
  for (const { manager, nodes, want, name } of endings) {
    it(`exits with ${want} if ${name}`, async () => {
      const { exitCode, errors } = await audit({ nodes, manager });
      assert.equal(exitCode, want);
      const isPartial = manager !== 'write';
      assert.equal(/Not checked: addresses against the cloud/.test(errors), isPartial);
    });
  }

  it('names what it could not check in JSON, too', async () => {
    const { output } = await audit({ nodes: [waiting], manager: 'write', output: 'json' });
    const want = ['events of refusals', 'events of nodes that wait'];
    assert.deepEqual(JSON.parse(output).unchecked, want);
  });

  it('says that a dry run sends no events, and exits with 0', async () => {
    const { exitCode, errors } = await audit({ nodes: [aNode({})], manager: 'dryRun' });
    assert.equal(exitCode, 0);
    assert.match(errors, /Not checked: events of refusals \(a dry run sends none\)\.$/m);
  });
});
