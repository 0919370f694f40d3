/** The calls of upstream's manager to its cloud, which it counts in a file that survives its end. */
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

export interface CloudCalls {
  /** `InstanceMetadata`, one node a call: what an initialisation and every pass over addresses cost. */
  readonly metadata: number;
  /** `InstanceExists`, asked of nodes that are not ready. */
  readonly exists: number;
  /** `InstanceShutdown`, asked of the same. */
  readonly shutdown: number;
  /** Calls to the route table, counted when they end. */
  readonly listRoutes: number;
  readonly createRoute: number;
  readonly deleteRoute: number;
  readonly total: number;
  /** When the first call to the route table began, by the wall clock; 0 before that. */
  readonly firstRouteCallMs: number;
  /** When the last call that changed the route table ended, by the wall clock; 0 before that. */
  readonly lastRouteChangeMs: number;
}

/** A program that ended before it created its cloud has no file, and made no calls. */
export async function readCloudCalls(file: string): Promise<CloudCalls> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const valueAt = (index: number): number => {
    if (bytes.length < (index + 1) * valueBytes) return 0;
    const offset = index * valueBytes;
    const value =
      endianness() === 'LE' ? bytes.readBigUInt64LE(offset) : bytes.readBigUInt64BE(offset);
    return Number(value);
  };
  const calls = {
    metadata: valueAt(0),
    exists: valueAt(1),
    shutdown: valueAt(2),
    listRoutes: valueAt(3),
    createRoute: valueAt(4),
    deleteRoute: valueAt(5),
  };
  const total = Object.values(calls).reduce((sum, many) => sum + many, 0);
  return { ...calls, total, firstRouteCallMs: valueAt(6), lastRouteChangeMs: valueAt(7) };
}

const valueBytes = 8;
