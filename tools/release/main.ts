/**
 * `npm run release -- --version X`: makes the files of a release, pushes the image and the chart, and signs everything.
 * With `--dry-run` it only makes the files. See docs/guides/release.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { Helm } from '../../test/helm/helm.ts';
import { buildGoProgram, goPrograms } from '../../test/support/go-program.ts';
import { makeArtefacts, type Release } from './artefacts.ts';
import { runIn } from './command.ts';
import { readOptions, type ReleaseOptions, usage } from './options.ts';
import { pushImage, type Publishing, signAll } from './publish.ts';
import { sectionOf } from './release-notes.ts';

const root = join(import.meta.dirname, '..', '..');

function end(problems: readonly string[], code: number): never {
  for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
  process.exit(code);
}

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim();
}

/** A dry run may be about unreleased changes. */
async function readNotes({ version, publishing }: ReleaseOptions): Promise<string> {
  const changelog = await readFile(join(root, 'docs/CHANGELOG.md'), 'utf8');
  const own = sectionOf(changelog, version);
  const notes = publishing === undefined ? (own ?? sectionOf(changelog, 'Unreleased')) : own;
  return notes ?? end([`docs/CHANGELOG.md has no section "## ${version}"`], 2);
}

async function openHelm(home: string): Promise<Helm> {
  const program = await buildGoProgram(goPrograms.helm);
  if (program === undefined) return end(['there is no Go to build helm with'], 1);
  return new Helm(program, { home, path: process.env['PATH'] });
}

const startedAt = new Date();
const program = JSON.parse(await readFile(join(root, 'packages/manager/package.json'), 'utf8'));
const chart = parse(await readFile(join(root, 'manifests/chart/Chart.yaml'), 'utf8'));
const isDirty = git('status', '--porcelain') !== '';
const chartVersions = [String(chart.version), String(chart.appVersion)];
const read = readOptions(process.argv.slice(2), {
  version: program.version,
  chartVersions,
  isDirty,
});
if (read.kind === 'help') {
  process.stdout.write(usage);
  process.exit(0);
}
if (read.kind === 'problems') end(read.problems, 2);
const { options } = read;
const { version, source, builder, publishing: target } = options;
const notes = await readNotes(options);
const output = resolve(options.output);
await mkdir(output, { recursive: true }).catch((err: unknown) =>
  end([`--output cannot be a folder: ${err instanceof Error ? err.message : String(err)}`], 2),
);
if ((await readdir(output)).length > 0) end([`${output} is not empty`], 2);
const commit = git('rev-parse', 'HEAD');
if (isDirty) {
  process.stderr.write(`warning: files differ from the commit ${commit}, which the files name\n`);
}
const run = runIn(root, process.stderr);
const home = await mkdtemp(join(tmpdir(), 'tandem-release-'));
try {
  const publishing: Publishing | undefined =
    target === undefined ? undefined : { ...target, version, commit, source, output: home };
  const digest = publishing && (await pushImage(run, publishing));
  const image =
    target === undefined || digest === undefined
      ? options.image
      : { registry: target.registry, digest };
  const dependencies = [
    { uri: `pkg:npm/node@${process.versions.node}` },
    ...(target === undefined ? [] : [baseOf(target.base)]),
  ];
  const made = { root, output, startedAt, notes, image, dependencies };
  const release: Release = { ...made, version, commit, source, builder };
  const now = (): Date => new Date();
  await makeArtefacts(release, { run, helm: await openHelm(home), now });
  if (publishing !== undefined && digest !== undefined) {
    const pushed = { imageDigest: digest, files: await readdir(output) };
    await signAll(run, { ...publishing, output }, pushed);
    process.stdout.write(`${publishing.registry}/tandem/cloud-controller-manager@${digest}\n`);
  }
} finally {
  await rm(home, { recursive: true });
}

function baseOf(base: string): { uri: string; digest: Readonly<Record<string, string>> } {
  const [name = '', sha256 = ''] = base.split('@sha256:');
  return { uri: `docker://${name}`, digest: { sha256 } };
}
