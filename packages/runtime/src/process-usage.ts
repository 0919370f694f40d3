/**
 * What this process takes of the machine, as a port: whoever tells of it takes a `ProcessUsage` instead of
 * asking the process, so that a test can hand in its own. Nothing is looked at until somebody asks.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** What the machine does not tell is undefined: files and address space are told by Linux alone. */
export interface ProcessFacts {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly virtualBytes: number | undefined;
  readonly openFiles: number | undefined;
  readonly openFilesMax: number | undefined;
  /** Seconds since 1970. */
  readonly startedAtSeconds: number;
}

export type ProcessUsage = () => ProcessFacts;

/** Of this process. What it reads comes from the kernel's memory and never waits for a disk. */
export const systemProcessUsage: ProcessUsage = () => {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    virtualBytes: readProcess('status', readVirtualBytes),
    openFiles: countOpenFiles(),
    openFilesMax: readProcess('limits', readOpenFilesMax),
    startedAtSeconds: performance.timeOrigin / 1_000,
  };
};

/** Of `/proc/self/limits`, where the first of two numbers is the one that holds. */
export function readOpenFilesMax(limits: string): number | undefined {
  const [, text] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return text === undefined ? undefined : Number(text);
}

/** Of `/proc/self/status`, which counts in KiB whatever the size of a page is. */
export function readVirtualBytes(status: string): number | undefined {
  const [, text] = /^VmSize:\s+(\d+) kB$/m.exec(status) ?? [];
  return text === undefined ? undefined : Number(text) * 1_024;
}

function countOpenFiles(): number | undefined {
  try {
    // Looking at the directory opens one more.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

function readProcess(file: string, read: (text: string) => number | undefined): number | undefined {
  try {
    return read(readFileSync(`/proc/self/${file}`, 'utf8'));
  } catch {
    return undefined;
  }
}
