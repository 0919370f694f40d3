/** The files of a release, without the signed ones: they need no registry, no key and no rights. */
import { createHash } from 'node:crypto';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Helm } from '../../test/helm/helm.ts';
import { bundlePrograms } from '../build/bundle.ts';
import { chartFiles } from '../chart/chart-files.ts';
import { chartPath, renderedManifests, renderManifest } from '../chart/rendered.ts';
import type { PushedImage } from '../chart/values/values.ts';
import type { Run } from './command.ts';
import { krewManifest } from './krew-manifest.ts';
import { openVex, type VexStatement } from './openvex.ts';
import { type Build, provenanceOf, statementAbout, type Subject } from './provenance.ts';
import { releaseNotes } from './release-notes.ts';

export interface Release extends Omit<Build, 'finishedAt'> {
  readonly root: string;
  readonly output: string;
  /** The section of the changelog. */
  readonly notes: string;
  /** The pushed image; in a dry run, the named one, if any. */
  readonly image?: PushedImage | undefined;
}

interface Tools {
  readonly run: Run;
  readonly helm: Helm;
  readonly now: () => Date;
}

export const imageRepository = 'tandem/cloud-controller-manager';

/** Writes all files into the folder, with their digests and their provenance. */
export async function makeArtefacts(release: Release, tools: Tools): Promise<void> {
  const { root, output, source, version, notes } = release;
  await mkdir(output, { recursive: true });
  const write = (name: string, text: string): Promise<void> => writeFile(join(output, name), text);
  await write('release-notes.md', releaseNotes(notes, `${source}/blob/v${version}`));
  await tools.run(
    process.execPath,
    'tools/sbom/main.ts',
    '--output',
    join(output, 'sbom.spdx.json'),
  );
  await packPlugin(release, tools);
  const sha256 = await digestOf(join(output, 'kubectl-nodeip.tar.gz'));
  const template = join(root, 'packages/kubectl-nodeip/krew-manifest.template');
  const filesURL = `${source}/releases/download/v${version}`;
  const krew = { tag: `v${version}`, source, filesURL, sha256 };
  await write('nodeip.yaml', krewManifest(await readFile(template, 'utf8'), krew));
  await packChart(release, tools);
  await renderAll(release, tools);
  await copyFile(join(root, 'manifests/alerts/tandem.yaml'), join(output, 'alerts.yaml'));
  await copyFile(join(root, 'manifests/dashboards/tandem.json'), join(output, 'dashboard.json'));
  await writeVex(release, tools);
  await describeFiles(release, tools);
}

/** The plugin is only JavaScript, so that one archive serves every platform. */
async function packPlugin({ root, output, commit }: Release, { run }: Tools): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-plugin-'));
  try {
    await chmod(folder, 0o755);
    const bundling = { root, output: folder, commit, only: 'kubectl-nodeip' } as const;
    const { programs } = await bundlePrograms(bundling);
    for (const program of programs) await chmod(program, 0o755);
    const completion = 'packages/kubectl-nodeip/bin/kubectl_complete-nodeip';
    for (const file of [completion, 'LICENSE']) {
      await copyFile(join(root, file), join(folder, basename(file)));
    }
    // The time of the commit and no owner, so that the same commit gives the same archive.
    const time = (await run('git', 'log', '-1', '--format=%ct')).trim();
    const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner'];
    const archive = [
      '--use-compress-program=gzip -9n',
      '-cf',
      join(output, 'kubectl-nodeip.tar.gz'),
    ];
    await run('tar', ...same, ...archive, '-C', folder, '.');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The chart of the tree, with the image of the release as its default. */
async function packChart({ root, output, image }: Release, { helm }: Tools): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-chart-'));
  try {
    const chart = join(folder, 'tandem');
    await cp(join(root, chartPath), chart, { recursive: true });
    for (const { path, render } of chartFiles) {
      await writeFile(join(chart, relative(chartPath, path)), render(image));
    }
    await helm.run('package', chart, '--destination', output);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Renders the manifests, with the image by its digest if there is one. */
async function renderAll({ root, output, image }: Release, { helm }: Tools): Promise<void> {
  for (const manifest of renderedManifests) {
    const text = await renderManifest(helm, manifest, { root, pushed: image });
    await writeFile(join(output, basename(manifest.path)), text);
  }
}

async function writeVex(release: Release, { now }: Tools): Promise<void> {
  const { root, output, source, version, image } = release;
  const file = join(root, 'security/vex-statements.json');
  const statements: VexStatement[] = JSON.parse(await readFile(file, 'utf8'));
  if (statements.length === 0) return;
  const digest = image === undefined ? '' : `@${encodeURIComponent(image.digest)}`;
  const place = image === undefined ? '' : `?repository_url=${image.registry}/${imageRepository}`;
  const document = openVex(statements, {
    product: `pkg:oci/cloud-controller-manager${digest}${place}`,
    id: `${source}/releases/download/v${version}/tandem.openvex.json`,
    author: source,
    time: now(),
  });
  await writeFile(join(output, 'tandem.openvex.json'), toText(document));
}

/** The provenance of all files, and `SHA256SUMS` of all files and the provenance. */
async function describeFiles(release: Release, { now }: Tools): Promise<void> {
  const { output } = release;
  const names = (await readdir(output)).toSorted();
  const subjects: Subject[] = [];
  for (const name of names) {
    subjects.push({ name, digest: { sha256: await digestOf(join(output, name)) } });
  }
  const predicate = provenanceOf({ ...release, finishedAt: now() });
  await writeFile(join(output, 'provenance.predicate.json'), toText(predicate));
  const statement = toText(statementAbout(subjects, predicate));
  await writeFile(join(output, 'provenance.intoto.json'), statement);
  // `SHA256SUMS` is what is signed, so that it has the provenance too.
  const sums: string[] = [];
  for (const name of (await readdir(output)).toSorted()) {
    sums.push(`${await digestOf(join(output, name))}  ${name}\n`);
  }
  await writeFile(join(output, 'SHA256SUMS'), sums.join(''));
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

function toText(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
