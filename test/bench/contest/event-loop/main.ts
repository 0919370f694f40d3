/**
 * Loaded into the manager before its own modules, by `NODE_OPTIONS`. It records each block of the event loop of the main
 * thread as a line in the file that `BENCH_BLOCKS_FILE` names. A late timer shows a block; the CPU time of the thread
 * shows how much of it the program used itself.
 */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Block } from './block-log.ts';

const periodMs = 5;
/** Shorter blocks are not recorded. */
const blockMsMin = 15;

const file = process.env['BENCH_BLOCKS_FILE'] ?? '';
let lastMs = performance.now();
let lastUsage = process.threadCpuUsage();

function noteBlock(): void {
  const nowMs = performance.now();
  const usage = process.threadCpuUsage();
  const lateMs = nowMs - lastMs - periodMs;
  if (lateMs >= blockMsMin) {
    const usedUs = usage.user + usage.system - lastUsage.user - lastUsage.system;
    const block: Block = {
      endedMs: Date.now(),
      wallMs: lateMs,
      cpuMs: Math.min(lateMs, usedUs / 1_000),
    };
    appendFileSync(file, `${JSON.stringify(block)}\n`);
  }
  lastMs = performance.now();
  lastUsage = process.threadCpuUsage();
}

if (isMainThread) setInterval(noteBlock, periodMs).unref();
