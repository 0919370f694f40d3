/** Tests how the table of `status` shows requests. */
import assert from 'node:assert/strict';
import { operatorAnnotation } from '@tandem/core/node-address';
import { aNode } from '../a-node.fixture.ts';
import type { Live } from '../live/run-live.ts';
import { statusCommand } from './run-status.ts';

describe('the table of status', () => {
  it('distinguishes an empty request from none, and truncates a long one', async () => {
    const requests = [undefined, '', 'x'.repeat(10_000)];
    const nodes = requests.map((request, at) =>
      aNode({
        name: `n${at}`,
        annotations: request === undefined ? {} : { [operatorAnnotation]: request },
      }),
    );
    let output = '';
    const live = {
      cluster: { nodes: async () => nodes, list: async () => [] },
      manager: { isWanted: false, tell: async () => ({ kind: 'unreached', problem: '' }) },
      streams: {
        output: { write: (text: string) => (output += text) !== '', once: () => undefined },
        errors: { write: () => true },
      },
      output: 'text',
      nowMs: 0,
    } as unknown as Live;
    assert.equal(await statusCommand.run(live), 0);
    assert.match(output, /^n0 +initialised +- +10\.0\.0\.1 /m);
    assert.match(output, /^n1 +refused +"" +10\.0\.0\.1 .* InvalidSyntax$/m);
    assert.match(output, /^n2 +refused +x{60,64}… +10\.0\.0\.1 .* InvalidSyntax$/m);
  });
});
