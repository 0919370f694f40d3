/**
 * The directory of a control plane, from claim to release. A temporary one is ours whole. In one that
 * a person named only the entries of the layout are ours: whatever else has turned up there by the end
 * stays, and so then does the directory.
 */
import { accessSync, constants, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { entries } from '../layout.ts';
import { makeDirectory, removeIfEmpty } from '../make-directory.ts';
import type { Claim, DirectoryChoice } from './messages.ts';

/** Makes the directory, or checks that it is empty and ours to use. Throws what stands against it. */
export function claimDirectory(place: DirectoryChoice): Claim {
  if (place.kind === 'temporary') {
    const path = mkdtempSync(join(realpathSync(place.parent), 'tandem-control-plane-'));
    return { kind: 'temporary', path };
  }
  const [firstMade] = makeDirectory(place.directory, 0o700);
  const path = realpathSync(place.directory);
  accessSync(path, constants.W_OK);
  const found = readdirSync(path);
  if (found.length > 0) {
    throw new Error(`${place.directory} is not empty, it has ${found.slice(0, 3).join(', ')}`);
  }
  const stays = firstMade === undefined ? path : realpathSync(dirname(firstMade));
  return { kind: 'named', path, stays };
}

/** Removes what the control plane made. Harmless when done twice. */
export function releaseDirectory(claim: Claim): void {
  if (claim.kind === 'temporary') {
    removeAll(claim.path);
    return;
  }
  for (const entry of entries) removeAll(join(claim.path, entry));
  for (let current = claim.path; current !== claim.stays; current = dirname(current)) {
    if (!removeIfEmpty(current)) return;
  }
}

function removeAll(path: string): void {
  // Retries cover file systems that still show a file of a process that has just ended.
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
