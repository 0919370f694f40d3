/** The live table of a whole demo in virtual time, as a terminal would show it. */
import assert from 'node:assert/strict';
import { kepMachines, type Machine, oddMachines } from '../machines/index.ts';
import type { ObservedDemo } from '../observed-demo.ts';
import type { Size } from './frame.ts';
import { LiveView } from './live-view.ts';
import { FakeTerminal } from './fake-terminal.fixture.ts';
import { fewMachines, send, type ShownDemo, showDemo } from './shown-demo.fixture.ts';
import { suggestions } from './suggestions.ts';

interface Watched extends ShownDemo {
  readonly terminal: FakeTerminal;
}

async function watchConverged(
  size: Size,
  machines: readonly Machine[] = fewMachines,
): Promise<Watched> {
  const terminal = new FakeTerminal(size);
  const shown = showDemo(
    (parts) => new LiveView({ ...parts, terminal, colours: 'colours' }),
    machines,
  );
  await shown.clock.advance(200);
  assert.match(terminal.text, new RegExp(` of ${machines.length} as expected`));
  await shown.clock.advance(10_000);
  assert.match(terminal.text, /^Converged in 5\.\d s/m);
  return { ...shown, terminal };
}

/** Null removes the request. */
async function annotate(
  observed: ObservedDemo,
  name: string,
  request: string | null,
): Promise<void> {
  const annotations = { 'tandem.dev/node-ip': request };
  await send(observed, 'PATCH', name, { metadata: { annotations } });
}

describe('the live table', () => {
  it('shows a changed annotation, a deletion and their effects within a second', async () => {
    const { clock, observed, terminal, stop } = await watchConverged({ columns: 100, lines: 45 });
    assert.match(terminal.text, /^dual-01 +\(none\) +1\.2\.3\.4 .* 10\.64\.0\.0\/24 \+1 +ready$/m);
    assert.match(terminal.text, /: all 12 nodes are as expected {3}2 routes$/m);
    await annotate(observed, 'dual-01', 'IPv6,IPv4');
    await clock.advance(1_000);
    assert.match(
      terminal.text,
      /^dual-01 +IPv6,IPv4 \(operator\) +abcd::1234 1\.2\.3\.4 +DS IPv6-primary +\S+ \+1 +ready$/m,
    );

    assert.match(terminal.text, /: 1 of 12 nodes is no longer as expected {3}2 routes$/m);
    await annotate(observed, 'dual-01', null);
    await clock.advance(1_000);
    assert.match(terminal.text, /: all 12 nodes are as expected {3}2 routes$/m);

    assert.match(terminal.text, /^twin-b .* CIDRNotAvailable +refused$/m);
    assert.match(terminal.text, /^Pool small: 1 of 1 bound .*, 1 node waits$/m);
    await send(observed, 'DELETE', 'twin-a');
    await clock.advance(1_000);
    assert.doesNotMatch(terminal.text, /^twin-a/m);
    assert.match(terminal.text, /^twin-b .*DS IPv4-primary +10\.60\.0\.0\/24 \+1 +ready$/m);
    assert.match(terminal.text, /^Pool small: 1 of 1 bound [^,]*, 1 of 1 in fd60::\/64$/m);
    assert.match(terminal.text, /: 2 of 12 nodes are no longer as expected {3}2 routes$/m);
    assert.match(terminal.text, /^Routes in table main: 1 IPv4, 1 IPv6$/m);
    await send(observed, 'DELETE', 'twin-b');
    await clock.advance(1_000);
    assert.match(terminal.text, /^Routes in table main: 0 IPv4, 0 IPv6$/m);
    assert.match(terminal.text, / {3}0 routes$/m);
    await stop();
    assert.deepEqual(terminal.state, { isAlternate: false, isCursorHidden: false });
  });

  it('shows the code of every refusal and the nodes of the suggestions at 80×24', async () => {
    const { clock, observed, terminal, stop } = await watchConverged({ columns: 80, lines: 24 }, [
      ...kepMachines,
      ...oddMachines,
    ]);
    const showsRefusals = (count: number): void => {
      const refused = observed.board.rows.filter(({ state }) => state === 'refused');
      assert.equal(refused.length, count);
      for (const { node, code } of refused)
        assert.match(terminal.text, new RegExp(`^${node} .* ${code} .*refused$`, 'm'));
    };
    showsRefusals(12);
    assert.match(
      terminal.text,
      /^… and 15 more: .* {3}Pod CIDRs: 27 of 8193 bound, 1 node waits$/m,
    );
    assert.match(terminal.text, /^Converged in .* {3}2 routes$/m);
    for (const { node, command } of suggestions) {
      assert.match(terminal.text, new RegExp(`^${node} `, 'm'));
      assert.ok(terminal.text.includes(command));
    }

    // This node keeps its addresses, and its code is shown nevertheless.
    await annotate(observed, 'dual-02', '');
    await clock.advance(10_000);
    assert.match(
      terminal.text,
      /^dual-02 +"" \(operator\) +InvalidSyntax +10\.64\.1\.0\/24 \+1 +refused$/m,
    );
    showsRefusals(13);

    // A request that leaves little room for codes, on a node that no suggestion is about.
    await annotate(observed, 'dual-08', '1.2.3.4,abcd::1234');
    await annotate(observed, 'dual-02', null);
    await clock.advance(10_000);
    assert.match(terminal.text, /^dual-08 +1\.2\.3\.4,abcd::1234… /m);
    showsRefusals(12);
    assert.equal(terminal.wrapped, 0);
    await stop();
  });

  it('writes nothing while nothing changes', async () => {
    const { clock, terminal, stop } = await watchConverged({ columns: 100, lines: 45 });
    const { written } = terminal;
    await clock.advance(60_000);
    assert.equal(terminal.written, written);
    await stop();
  });

  it('follows the size of the terminal, and leaves it to the shell while the program is stopped', async () => {
    const { clock, terminal, stop } = await watchConverged({ columns: 100, lines: 45 });
    terminal.resize({ columns: 60, lines: 16 });
    await clock.advance(100);
    assert.match(terminal.text, /^… and \d+ more: /m);
    assert.equal(terminal.wrapped, 0);
    terminal.suspend();
    assert.deepEqual(terminal.state, { isAlternate: false, isCursorHidden: false });
    terminal.resize({ columns: 60, lines: 16 });
    await clock.advance(100);
    assert.deepEqual(terminal.state, { isAlternate: true, isCursorHidden: true });
    assert.match(terminal.text, /^export KUBECONFIG=\/tmp\/k$/m);
    await stop();
  });
});
