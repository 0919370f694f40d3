import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { TableLimit } from './table-limit.ts';

describe('the limit of a route table on Azure', () => {
  const clock = virtualClock();

  it('is the default as long as the table has fewer routes, and then unknown', () => {
    const limit = new TableLimit(clock);
    assert.equal(limit.capacityOf(999), 1_000);
    assert.equal(limit.capacityOf(1_000), undefined);
  });

  it('is the count that Azure refused to exceed, until that expires or the table has more', async () => {
    const limit = new TableLimit(clock);
    limit.note(400);
    assert.equal(limit.capacityOf(400), 400);
    assert.equal(limit.capacityOf(380), 400);
    assert.equal(limit.capacityOf(401), undefined);
    await clock.advance(600_000);
    assert.equal(limit.capacityOf(400), undefined);
    assert(limit.wasLimit(400));
    limit.note(1_000);
    assert.equal(limit.capacityOf(1_000), 1_000);
  });
});
