/**
 * `npm run docs`: writes the pages, and the parts of pages, that are generated from declarations in the code. A test
 * compares the committed pages with this output.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from './pages.ts';

if (process.argv.length > 2) {
  process.stderr.write(`error: unexpected argument ${process.argv[2]}; npm run docs takes none\n`);
  process.exit(2);
}

const root = join(import.meta.dirname, '..', '..');

for (const { path, render } of generatedPages) {
  const file = join(root, path);
  writeFileSync(
    file,
    render(() => readFileSync(file, 'utf8')),
  );
}
