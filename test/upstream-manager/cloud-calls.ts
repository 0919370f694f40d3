/** How often upstream's manager asked its cloud: counts that it keeps in a file, killed or not. */
import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

export interface CloudCalls {
  /** `InstanceMetadata`, one node a call: what an initialisation and every pass over addresses cost. */
  readonly metadata: number;
  /** `InstanceExists`, asked of nodes that are not ready. */
  readonly exists: number;
  /** `InstanceShutdown`, asked of the same. */
  readonly shutdown: number;
  readonly total: number;
}

/** A program that ended before it had a cloud has made no file, and no calls. */
export async function readCloudCalls(file: string): Promise<CloudCalls> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const count = (index: number): number => {
    if (bytes.length < (index + 1) * countBytes) return 0;
    const offset = index * countBytes;
    const value =
      endianness() === 'LE' ? bytes.readBigUInt64LE(offset) : bytes.readBigUInt64BE(offset);
    return Number(value);
  };
  const [metadata, exists, shutdown] = [count(0), count(1), count(2)];
  return { metadata, exists, shutdown, total: metadata + exists + shutdown };
}

const countBytes = 8;
