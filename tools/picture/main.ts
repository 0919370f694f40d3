/**
 * Draws the picture of the table in the README, docs/images/start.svg, from a real run of `npm start`:
 *
 *     npx node tools/picture/main.ts
 *
 * A test compares the committed picture with a run.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pictured, pictureOf } from '@tandem/devcluster/start';

if (process.argv.length > 2) {
  process.stderr.write(`error: unexpected argument ${process.argv[2]}: it takes none\n`);
  process.exit(2);
}

const root = join(import.meta.dirname, '..', '..');
const start = join(root, 'packages/devcluster/src/main.ts');

/** Fails, with the differences on standard error, if the run is not as the KEP specifies. */
const outcome: Pictured = JSON.parse(
  execFileSync(process.execPath, [start, '--once', '-o', 'json'], { encoding: 'utf8' }),
);

writeFileSync(join(root, 'docs/images/start.svg'), pictureOf(outcome));
