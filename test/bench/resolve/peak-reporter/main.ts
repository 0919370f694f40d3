/** Loaded into a measured program: writes its peak memory in KiB to file descriptor 3 as it ends. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS));
});
