/**
 * Says in the log what an edit of `routeTable` in a running inventory does. Another file is used at once, and
 * the old one is left as it is. Whether there are routes at all is settled when the manager starts.
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
