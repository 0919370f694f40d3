/** Tests the output of `cidrs` without the manager's view. */
import assert from 'node:assert/strict';
import { aNode } from '../a-node.fixture.ts';
import type { Told } from '../live/manager.ts';
import type { Live } from '../live/run-live.ts';
import { cidrsCommand } from './run-cidrs.ts';

async function cidrs(view: Told<'pools'>, { isWanted = true } = {}) {
  const written = { output: '', errors: '' };
  const streams = {
    output: { write: (text: string) => (written.output += text) !== '', once: () => undefined },
    errors: { write: (text: string) => (written.errors += text) !== '', once: () => undefined },
  };
  const nodes = [
    aNode({ name: 'with', podCIDRs: ['10.0.0.0/24'] }),
    aNode({ name: 'without', podCIDRs: [] }),
  ];
  const live = {
    cluster: { nodes: async () => nodes },
    manager: { via: 'a test', isWanted, tell: async () => view },
    streams,
    output: 'text',
    nowMs: 0,
  } as unknown as Live;
  assert.equal(await cidrsCommand.run(live), 0);
  return written;
}

describe('cidrs without the manager’s view', () => {
  it('does not show a node without podCIDRs as waiting, because it may need none', async () => {
    const { output } = await cidrs({ kind: 'unreached', problem: 'no answer' });
    assert.match(output, /^with +bound .* 10\.0\.0\.0\/24/m);
    assert.match(output, /^without +none /m);
  });

  const lines = [
    {
      name: 'a warning if the manager was not reached',
      told: { kind: 'unreached', problem: 'no answer' } as const,
      want: /^warning: The manager's view is missing \(a test\): no answer\. This is what/,
    },
    {
      name: 'a note if the manager allocates no pod CIDRs',
      told: { kind: 'off', problem: 'It gives nodes no pod CIDRs' } as const,
      want: /^note: It gives nodes no pod CIDRs\. This is what/,
    },
  ];
  for (const { name, told, want } of lines) {
    it(`prints ${name}`, async () => {
      assert.match((await cidrs(told)).errors, want);
    });
  }

  it('prints no warning with --no-manager', async () => {
    const told = { kind: 'unreached', problem: 'it was not asked' } as const;
    assert.equal((await cidrs(told, { isWanted: false })).errors, '');
  });
});
