/** The output of a demo on a pipe, in virtual time. */
import assert from 'node:assert/strict';
import { PlainView } from './plain-view.ts';
import { send, showDemo } from './shown-demo.fixture.ts';

describe('the lines on a pipe', () => {
  it('end with suggestions once the demo has converged, and continue when a node changes', async () => {
    const lines: string[] = [];
    const write = (text: string): number => lines.push(text);
    const { clock, observed, stop } = showDemo((parts) => new PlainView({ ...parts, write }));
    await clock.advance(10_000);
    assert.ok(lines.some((line) => line.startsWith('Converged in ')));
    assert.match(lines.at(-1) ?? '', /gives its instance and pod CIDRs to twin-b\n$/);
    const converged = lines.splice(0);
    // Each kubelet reports every five minutes, which changes no row.
    await clock.advance(400_000);
    assert.deepEqual(lines, [], `more than the ${converged.length} lines before`);

    await send(observed, 'DELETE', 'twin-a');
    await clock.advance(1_000);
    assert.match(lines[0] ?? '', /^\+\d+\.\d s {2}twin-a: deleted\n$/);
    assert.match(lines.at(-1) ?? '', /twin-b: ready, .*podCIDRs 10\.60\.0\.0\/24 fd60::\/64\n$/);
    await stop();
  });
});
