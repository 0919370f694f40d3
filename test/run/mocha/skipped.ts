/**
 * Says what was skipped and why. Mocha's `skip()` takes no reason, so whoever skips may leave one
 * in the context before: `this.skipReason = 'no control plane'; this.skip();`.
 */
import { styleText } from 'node:util';
import type Mocha from 'mocha';

export interface SkippedTest {
  readonly file: string;
  readonly test: Mocha.Runnable;
}

/** A line for each file and reason, with the titles below it where they are few. */
export function describeSkipped(skipped: readonly SkippedTest[]): string[] {
  const groups = Map.groupBy(skipped, ({ file, test }) => `${file}: ${reasonOf(test)}`);
  return [...groups].flatMap(([place, tests]) => {
    const heading = styleText('cyan', `Skipped ${tests.length} in ${place}`);
    const titles = tests.map(({ test }) => `  - ${test.titlePath().join(' › ')}`);
    const rest = titles.length - titlesMax;
    return rest > 0
      ? [heading, ...titles.slice(0, titlesMax), `  - and ${rest} more`]
      : [heading, ...titles];
  });
}

/** Where a whole suite is skipped for one reason, all of its titles would bury the reason. */
const titlesMax = 5;

function reasonOf(test: Mocha.Runnable): string {
  const reason: unknown = test.ctx?.['skipReason'];
  return typeof reason === 'string' ? reason : 'no reason given';
}
