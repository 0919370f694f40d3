/**
 * Loaded into a measured program: writes its peak memory in KiB to file descriptor 3 as it ends. Plain
 * JavaScript, because stripping types would itself take memory there. `resourceUsage` remembers the
 * memory of the parent that the process was forked from; Linux has a figure without it.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const status = '/proc/self/status';
  const highWater = existsSync(status)
    ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : undefined;
  writeSync(3, highWater ?? String(process.resourceUsage().maxRSS));
});
