/**
 * Loaded into a measured program: writes how long its event loop was blocked at the longest, in milliseconds,
 * into the file that BENCH_EVENT_LOOP names, twice a second. SIGUSR2 resets the figure.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 5;
const file = process.env['BENCH_EVENT_LOOP'] ?? '';
const delay = monitorEventLoopDelay({ resolution });
delay.enable();

process.on('SIGUSR2', () => delay.reset());
// A reader never sees half of a figure.
setInterval(() => {
  writeFileSync(`${file}.new`, String(Math.max(delay.max / 1e6 - resolution, 0)));
  renameSync(`${file}.new`, file);
}, 500).unref();
