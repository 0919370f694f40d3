/**
 * The part of a release that leaves this machine: the image for both platforms, the chart, and signatures of
 * both and of the files. All is signed by its digest. Nothing gets the tag `latest`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageRepository } from './artefacts.ts';
import type { Run } from './command.ts';

export interface Publishing {
  readonly version: string;
  readonly commit: string;
  readonly registry: string;
  /** The base of the image, by digest. */
  readonly base: string;
  readonly source: string;
  /** A folder for what is made on the way. */
  readonly output: string;
  /** A private key of cosign; without it, cosign signs with the identity of the workflow. */
  readonly key: string | undefined;
  /** For a registry on this machine. */
  readonly isPlainHTTP: boolean;
}

/** The platform of this machine, as the OCI names it. */
const buildPlatform = `linux/${process.arch === 'arm64' ? 'arm64' : 'amd64'}`;

const platforms = 'linux/amd64,linux/arm64';

/** Gives the digest of the image of all platforms. */
export async function pushImage(run: Run, publishing: Publishing): Promise<string> {
  const { version, commit, registry, base, source, isPlainHTTP, output } = publishing;
  const list = `localhost/tandem-${commit}:${version}`;
  const time = (await run('git', 'log', '-1', '--format=%ct')).trim();
  const given = {
    BASE: base,
    BUILDPLATFORM: buildPlatform,
    COMMIT: commit,
    VERSION: version,
    CREATED: new Date(Number(time) * 1000).toISOString(),
  };
  const args = Object.entries(given).map(([name, value]) => `--build-arg=${name}=${value}`);
  const label = `--label=org.opencontainers.image.source=${source}`;
  const how = [`--platform=${platforms}`, `--timestamp=${time}`, label, ...args];
  await run('buildah', 'build', ...how, '--manifest', list, '.');
  const digestFile = join(output, '.image-digest');
  const target = `docker://${registry}/${imageRepository}:${version}`;
  const tls = isPlainHTTP ? ['--tls-verify=false'] : [];
  const push = ['--all', '--format=oci', ...tls, `--digestfile=${digestFile}`, list, target];
  await run('buildah', 'manifest', 'push', ...push);
  await run('buildah', 'manifest', 'rm', list);
  return digestIn(await readFile(digestFile, 'utf8'));
}

interface Pushed {
  /** The image of all platforms. */
  readonly imageDigest: string;
  /** The names of the files, those of attestations among them. */
  readonly files: readonly string[];
}

/** The image with each of its platforms, what it is made of and how; the chart; the list of files. */
export async function signAll(run: Run, publishing: Publishing, pushed: Pushed): Promise<void> {
  const { version, registry, output, isPlainHTTP, key } = publishing;
  const signing = key === undefined ? ['--yes'] : ['--yes', ...keySigning(key)];
  const image = `${registry}/${imageRepository}@${pushed.imageDigest}`;
  await run('cosign', 'sign', ...signing, '--recursive', image);
  for (const [type, file] of attestations) {
    if (!pushed.files.includes(file)) continue;
    const predicate = ['--type', type, '--predicate', join(output, file)];
    await run('cosign', 'attest', ...signing, ...predicate, image);
  }
  const plain = isPlainHTTP ? ['--plain-http'] : [];
  const archive = join(output, `tandem-${version}.tgz`);
  const said = await run('helm', 'push', archive, `oci://${registry}/tandem/charts`, ...plain);
  const chart = `${registry}/tandem/charts/tandem@${digestIn(said)}`;
  await run('cosign', 'sign', ...signing, chart);
  const sums = join(output, 'SHA256SUMS');
  await run('cosign', 'sign-blob', ...signing, '--bundle', `${sums}.sigstore.json`, sums);
}

/** What cosign attaches to the image, by the types that it knows, and the files that hold it. */
const attestations = [
  ['spdxjson', 'sbom.spdx.json'],
  ['slsaprovenance1', 'provenance.predicate.json'],
  ['openvex', 'tandem.openvex.json'],
] as const;

/** A key has no identity that a transparency log could vouch for. */
function keySigning(key: string): string[] {
  return ['--key', key, '--use-signing-config=false', '--tlog-upload=false'];
}

function digestIn(text: string): string {
  const [digest] = /sha256:[0-9a-f]{64}/.exec(text) ?? [];
  if (digest === undefined) throw new Error(`there is no digest in: ${text}`);
  return digest;
}
