/**
 * Logs the effect of an edit of `routeTable` while the manager runs. A new file is used at once, and the old one stays
 * unchanged. Whether the provider has routes at all is decided at start.
 */
import type { Logger } from '@tandem/runtime';
import type { InventoryFile } from '../inventory-file.ts';

export function reportMoves(inventoryFile: InventoryFile, logger: Logger): void {
  const start = inventoryFile.inventory.routeFile;
  let last = start;
  inventoryFile.onChange(() => {
    const next = inventoryFile.inventory.routeFile;
    if (next === last) return;
    const files = { file: next, previous: last };
    last = next;
    if (start === undefined) logger.warn(files, 'Ignored route table until the manager restarts');
    else if (next === undefined)
      logger.error(files, 'Stopped changing routes without a route table');
    else logger.warn(files, 'Changed to another route table and left the previous file as it is');
  });
}
