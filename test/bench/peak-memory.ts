/** The most memory that this process ever held. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * In bytes. `resourceUsage` remembers the memory of the parent that the process was forked from; Linux
 * has a figure without it.
 */
export function peakMemoryBytes(): number {
  const status = '/proc/self/status';
  const highWater = existsSync(status)
    ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : undefined;
  return Number(highWater ?? process.resourceUsage().maxRSS) * 1024;
}
