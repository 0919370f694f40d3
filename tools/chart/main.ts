/** `npm run manifests`: writes `manifests/rendered` from the chart. A test keeps both equal. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Helm } from '../../test/helm/helm.ts';
import { goPrograms, requireGoProgram } from '../../test/support/go-program.ts';
import { renderedManifests, renderManifest } from './rendered.ts';

const root = join(import.meta.dirname, '..', '..');

const program = await requireGoProgram(goPrograms.helm);
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
