/**
 * The mocha process of one suite: takes its order from the runner, loads and runs the files, and
 * reports every test over the IPC channel. It ends by itself once nothing is left open; ending it
 * by force would hide what the tests leave behind.
 */
import Mocha from 'mocha';
import { isOrder, type Message, type Order } from '../protocol.ts';
import { loadTestFiles } from './load.ts';
import { suiteReporter } from './reporter.ts';

function send(message: Message): void {
  process.send?.(message);
}

/** Mocha only forwards these, and without a listener they would vanish: they fail the test. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});

// When the runner is gone nobody waits for this run any more.
process.on('disconnect', () => process.exit(1));
process.once('message', (order) => {
  // The listener above must not keep the process alive.
  process.channel?.unref();
  if (isOrder(order)) void run(order);
});

async function run(order: Order): Promise<void> {
  const openAtFirst = process.getActiveResourcesInfo();
  const mocha = new Mocha({
    forbidOnly: true,
    timeout: order.timeoutMs,
    slow: order.slowMs,
    reporter: suiteReporter({ root: order.root, progress: order.progress, send }),
    ...(order.grep === undefined ? {} : { grep: new RegExp(order.grep) }),
  });
  await loadTestFiles(mocha, order, send);
  const runner = mocha.run((failures) => {
    process.exitCode = failures > 0 ? 1 : 0;
    send({ kind: 'ended' });
    reportLingering(order.lingerMsMax / 2, openAtFirst);
  });
  // The test that runs is let finish and the hooks after it clean up. The runner kills if need be.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.abort());
}

/** What was open before any test file was loaded, like the standard output, is not of interest. */
function reportLingering(afterMs: number, openAtFirst: readonly string[]): void {
  setTimeout(() => {
    const resources = process.getActiveResourcesInfo();
    for (const resource of openAtFirst) {
      const index = resources.indexOf(resource);
      if (index >= 0) resources.splice(index, 1);
    }
    send({ kind: 'lingering', resources });
  }, afterMs).unref();
}
