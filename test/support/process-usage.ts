/**
 * What another process has used so far, as the kernel counts it: asking costs the process nothing. Linux
 * only. It must be asked before the process ends, and tells of that process alone, not of its children.
 */
import { readFile } from 'node:fs/promises';

export interface ProcessUsage {
  /** User and system time. */
  readonly cpuSeconds: number;
  /** The most memory that it ever held (resident set size). */
  readonly peakBytes: number;
}

export async function processUsage(pid: number): Promise<ProcessUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  return { cpuSeconds: processorTicks(stat) / ticksPerSecond, peakBytes: highWater(status) };
}

/** The fields 14 and 15, counted behind the name, which may hold blanks. */
function processorTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Linux reports in hundredths of a second to every program, whatever the kernel's own rate is. */
const ticksPerSecond = 100;

function highWater(status: string): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
