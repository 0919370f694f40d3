import assert from 'node:assert/strict';
import { sleep } from '@tandem/runtime';
import { aQueue } from './queue.fixture.ts';

async function figures(metrics: { render(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('workqueue'));
  return new Map(
    lines.map((line) => {
      const [name = '', value = ''] = line.split(/ (?=[^ ]+$)/);
      return [name, Number(value)];
    }),
  );
}

describe('metrics of a work queue', () => {
  it('have the names and buckets of client-go', async () => {
    const { clock, queue, metrics } = aQueue(async (_key, { failures }) => {
      await sleep(clock, 2_000);
      if (failures === 0) throw new Error('no');
    });
    queue.add('a');
    queue.add('b');
    queue.add('b');
    await clock.advance(500);
    const before = await figures(metrics);
    assert.equal(before.get('workqueue_depth{name="Nodes"}'), 2);
    assert.equal(before.get('workqueue_adds_total{name="Nodes"}'), 2);
    queue.start();
    await clock.advance(1_000);
    const during = await figures(metrics);
    assert.equal(during.get('workqueue_depth{name="Nodes"}'), 1);
    assert.equal(during.get('workqueue_unfinished_work_seconds{name="Nodes"}'), 1);
    assert.equal(during.get('workqueue_longest_running_processor_seconds{name="Nodes"}'), 1);
    assert.equal(during.get('workqueue_queue_duration_seconds_sum{name="Nodes"}'), 0.5);
    await clock.runAll();
    const after = await figures(metrics);
    assert.equal(after.get('workqueue_depth{name="Nodes"}'), 0);
    assert.equal(after.get('workqueue_adds_total{name="Nodes"}'), 4);
    assert.equal(after.get('workqueue_retries_total{name="Nodes"}'), 2);
    assert.equal(after.get('workqueue_work_duration_seconds_count{name="Nodes"}'), 4);
    assert.equal(after.get('workqueue_work_duration_seconds_sum{name="Nodes"}'), 8);
    assert.equal(after.get('workqueue_work_duration_seconds_bucket{le="1",name="Nodes"}'), 0);
    assert.equal(after.get('workqueue_work_duration_seconds_bucket{le="10",name="Nodes"}'), 4);
    assert.equal(after.get('workqueue_work_duration_seconds_bucket{le="1e-8",name="Nodes"}'), 0);
    assert.equal(after.get('workqueue_unfinished_work_seconds{name="Nodes"}'), 0);
  });

  it('of two queues share a registry and differ in the label name', async () => {
    const { queue, metrics } = aQueue(async () => {});
    const { queue: other } = aQueue(async () => {}, { name: 'Routes', metrics });
    queue.add('a');
    other.add('b');
    other.add('c');
    const seen = await figures(metrics);
    assert.equal(seen.get('workqueue_depth{name="Nodes"}'), 1);
    assert.equal(seen.get('workqueue_depth{name="Routes"}'), 2);
  });
});
