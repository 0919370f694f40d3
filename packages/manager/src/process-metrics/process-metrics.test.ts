import assert from 'node:assert/strict';
import { createMetrics, type ProcessFacts } from '@tandem/runtime';
import { processMetricDeclarations, ProcessMetrics } from './process-metrics.ts';

const facts: ProcessFacts = {
  cpuSeconds: 1.5,
  residentBytes: 4_096,
  virtualBytes: 8_192,
  openFiles: 20,
  openFilesMax: 1_024,
  startedAtSeconds: 1_700_000_000.25,
};

describe('the metrics of the process', () => {
  it('are as the process is when somebody asks, and cost nothing before', async () => {
    const metrics = createMetrics();
    let now = facts;
    let looks = 0;
    const shown = new ProcessMetrics(metrics, () => {
      looks++;
      return now;
    });
    assert.equal(looks, 0);
    shown.refresh();
    assert.deepEqual(await samples(metrics.render()), [
      'process_cpu_seconds_total 1.5',
      'process_resident_memory_bytes 4096',
      'process_virtual_memory_bytes 8192',
      'process_open_fds 20',
      'process_max_fds 1024',
      'process_start_time_seconds 1700000000.25',
    ]);
    now = { ...facts, cpuSeconds: 2.25, openFiles: 19 };
    shown.refresh();
    const later = await samples(metrics.render());
    assert.ok(later.includes('process_cpu_seconds_total 2.25'));
    assert.ok(later.includes('process_open_fds 19'));
    assert.equal(looks, 2);
  });

  it('leave out what the machine does not tell', async () => {
    const metrics = createMetrics();
    const untold = { virtualBytes: undefined, openFiles: undefined, openFilesMax: undefined };
    new ProcessMetrics(metrics, () => ({ ...facts, ...untold })).refresh();
    const names = (await samples(metrics.render())).map((line) => line.split(' ')[0]);
    assert.deepEqual(names, [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
    ]);
    assert.equal(processMetricDeclarations.length, 6);
  });
});

async function samples(text: Promise<string>): Promise<string[]> {
  return (await text).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
