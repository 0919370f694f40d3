import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { memorySettings } from './memory-settings.ts';

describe('the memory settings', () => {
  it('are the variables that the Dockerfile sets beside the PATH', () => {
    const text = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
    const [, final = ''] = text.split('FROM --platform=$TARGETPLATFORM');
    // One instruction, whose lines end with a backslash but for the last one.
    const [, instruction = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(final) ?? [];
    const pairs = instruction.split(/[\s\\]+/).map((word) => {
      const at = word.indexOf('=');
      return [word.slice(0, at), word.slice(at + 1)];
    });
    const { PATH, ...settings } = Object.fromEntries(pairs);
    assert.ok(PATH !== undefined);
    assert.deepEqual(settings, memorySettings());
  });
});
