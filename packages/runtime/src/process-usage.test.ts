import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { readOpenFilesMax, readVirtualBytes, systemProcessUsage } from './process-usage.ts';

describe('what the process takes of the machine', () => {
  it('is told as it is at the moment', () => {
    const before = systemProcessUsage();
    const nowSeconds = (performance.timeOrigin + performance.now()) / 1_000;
    assert.ok(before.cpuSeconds > 0);
    assert.ok(before.residentBytes > 10_000_000);
    assert.ok(before.startedAtSeconds > 1_700_000_000 && before.startedAtSeconds < nowSeconds);
    if (process.platform !== 'linux') return;
    assert.ok((before.virtualBytes ?? 0) > before.residentBytes);
    assert.ok((before.openFilesMax ?? 0) > (before.openFiles ?? 0));
    const files = [1, 2, 3].map(() => openSync(import.meta.filename, 'r'));
    const open = systemProcessUsage().openFiles;
    for (const file of files) closeSync(file);
    assert.equal(open, (before.openFiles ?? 0) + 3);
  });

  it('is left out where the kernel does not tell it', () => {
    const limits = `Limit  Soft Limit  Hard Limit  Units
Max open files            1024                 524288               files
`;
    assert.equal(readOpenFilesMax(limits), 1_024);
    assert.equal(readOpenFilesMax('Max open files   unlimited  unlimited  files\n'), undefined);
    assert.equal(readVirtualBytes('VmPeak:\t 9 kB\nVmSize:\t     100 kB\n'), 102_400);
    assert.equal(readVirtualBytes('Name:\tnode\n'), undefined);
  });
});
