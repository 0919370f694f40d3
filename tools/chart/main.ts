/** `npm run manifests`: writes `manifests/rendered` from the chart. A test compares the two. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Helm } from '../../test/helm/helm.ts';
import { buildGoProgram, goPrograms } from '../../test/support/go-program.ts';
import { renderedManifests, renderManifest } from './rendered.ts';

const root = join(import.meta.dirname, '..', '..');

const program = await buildGoProgram(goPrograms.helm);
if (program === undefined) {
  process.stderr.write('error: there is no Go to build helm with. Install Go 1.26 or newer.\n');
  process.exit(1);
}
const home = mkdtempSync(join(tmpdir(), 'tandem-helm-'));
try {
  const helm = new Helm(program, { home, path: process.env['PATH'] });
  for (const manifest of renderedManifests) {
    const file = join(root, manifest.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await renderManifest(helm, manifest, { root }));
  }
} finally {
  rmSync(home, { recursive: true });
}
