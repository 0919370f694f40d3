/**
 * Loads test files into mocha one at a time, so that one that does not load is one failure with a
 * name, and the other files still run.
 */
import { join, relative } from 'node:path';
import { inspect, styleText } from 'node:util';
import type Mocha from 'mocha';
import type { Message, Order } from '../protocol.ts';

export async function loadTestFiles(
  mocha: Mocha,
  order: Order,
  send: (message: Message) => void,
): Promise<void> {
  for (const file of order.files) {
    mocha.files = [join(order.root, file)];
    try {
      // Mocha keeps the file that is being loaded as state, so they go one after the other.
      await mocha.loadFilesAsync();
    } catch (err) {
      process.stdout.write(`\n${styleText('red', `✘ ${file} does not load`)}\n${inspect(err)}\n\n`);
      send({ kind: 'unloadable', file });
      forgetHalfLoaded(mocha, file, order.root);
    }
  }
  const declared = countTests(mocha.suite, order.root);
  for (const file of order.files) send({ kind: 'declared', file, tests: declared.get(file) ?? 0 });
}

/** What a file declared before it threw would run as if nothing had happened. */
function forgetHalfLoaded(mocha: Mocha, file: string, root: string): void {
  const isOther = (part: { file?: string | undefined }): boolean => part.file !== join(root, file);
  mocha.suite.suites = mocha.suite.suites.filter(isOther);
  mocha.suite.tests = mocha.suite.tests.filter(isOther);
  // A describe that threw is still open; binding the interface anew starts at the root again.
  mocha.ui('bdd');
}

function countTests(rootSuite: Mocha.Suite, root: string): Map<string, number> {
  const counts = new Map<string, number>();
  rootSuite.eachTest((test) => {
    const file = relative(root, test.file ?? '');
    counts.set(file, (counts.get(file) ?? 0) + 1);
  });
  return counts;
}
