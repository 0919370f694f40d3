/**
 * What another process has used so far, as the kernel counts it, at no cost to that process. Linux only. It works
 * while the process runs, and does not count its children.
 */
import { readFile } from 'node:fs/promises';
import { statFields } from './process-state.ts';

export interface ProcessUsage {
  /** User and system time. */
  readonly cpuSeconds: number;
  /** The most memory that it ever held (resident set size). */
  readonly peakBytes: number;
}

export async function processUsage(pid: number): Promise<ProcessUsage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return { cpuSeconds: processorTicks(pid) / ticksPerSecond, peakBytes: highWater(status) };
}

/** User and system time: the fields 14 and 15. `statFields` begins with the third. */
function processorTicks(pid: number): number {
  const fields = statFields(pid) ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** Linux reports in hundredths of a second to every program, whatever the kernel's own rate is. */
const ticksPerSecond = 100;

function highWater(status: string): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
