import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkStructure } from './check-structure.ts';
import { readTree } from './read-tree.ts';
import { formatViolation } from './violation.ts';

describe('this repository', () => {
  it('keeps its own structure', () => {
    const root = join(import.meta.dirname, '..', '..', '..');
    const violations = checkStructure(readTree(root));
    if (violations.length > 0) assert.fail(`\n${violations.map(formatViolation).join('\n')}`);
  });
});
