import assert from 'node:assert/strict';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { LogTail } from './log-tail.ts';

function logged() {
  const lines: string[] = [];
  const tail = new LogTail((line) => lines.push(line));
  const logger = createLogger({ clock: virtualClock(), destination: tail });
  return { lines, tail, logger };
}

describe("the manager's log", () => {
  it('goes to the file completely', () => {
    const { lines, logger } = logged();
    logger.info({ node: 'a' }, 'Started');
    logger.warn({}, 'Refused node');
    assert.deepEqual(
      lines.map((line) => line.split(' ').slice(2).join(' ')),
      ['"Started" node="a"\n', '"Refused node"\n'],
    );
  });

  it('shows its last three warnings, without those that the table shows anyway', () => {
    const { tail, logger } = logged();
    let told = 0;
    tail.onChange(() => told++);
    logger.info({}, 'Started');
    logger.warn({ node: 'a' }, 'Refused node');
    logger.warn({}, 'Node IP requests disagree');
    for (const number of [1, 2, 3, 4]) logger.warn({ number }, 'Lost the Lease');
    logger.error({}, 'Failed');
    const words = tail.warnings.map((line) => line.split(' ').slice(2).join(' '));
    assert.deepEqual(words, ['"Lost the Lease" number=3', '"Lost the Lease" number=4', '"Failed"']);
    assert.equal(told, 5);
  });
});
