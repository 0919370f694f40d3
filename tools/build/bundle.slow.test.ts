/** What is in the programs that ship, and what is not. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { systemEnvironment } from '@tandem/runtime';
import { bundlePrograms } from './bundle.ts';
import { memorySettings } from './memory-settings.ts';

const root = join(import.meta.dirname, '../..');

describe('the programs that ship', () => {
  let output = '';

  before(async function () {
    this.timeout(60_000);
    output = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
    await bundlePrograms({ root, output });
  });

  after(() => rmSync(output, { recursive: true }));

  it('load the client library only where there is a kubeconfig', () => {
    const chunks = readdirSync(join(output, 'chunks')).map((file) => join('chunks', file));
    const withLibrary = chunks.filter((file) => /loadFromString\(/.test(read(file)));
    assert.equal(withLibrary.length, 1);
    const manager = managerAtStart();
    assert.ok(!withLibrary.some((file) => manager.has(file)));
  });

  it('hold the SDK of AWS in a thread alone, and only the calls that the manager makes', () => {
    const thread = read('aws-sdk-thread.js');
    for (const part of ['aws4_request', 'DescribeInstancesResult'])
      assert.ok(thread.includes(part));
    assert.doesNotMatch(thread, /AllocateAddress|RunInstances/);
    const chunks = readdirSync(join(output, 'chunks')).map((file) => join('chunks', file));
    const provider = chunks.filter((file) => /new URL\(.*aws-sdk-thread\.js"/.test(read(file)));
    assert.equal(provider.length, 1);
    for (const loaded of [
      ...managerAtStart(),
      ...provider.flatMap((file) => [...loadedAtStart(file)]),
    ]) {
      assert.doesNotMatch(read(loaded), /DescribeInstancesResult|aws4_request/, loaded);
    }
  });

  it('hold the SDKs of Azure in chunks that are loaded on demand', () => {
    for (const loaded of managerAtStart()) {
      assert.doesNotMatch(read(loaded), /Microsoft\.Compute|msal-node/, loaded);
    }
    const chunks = readdirSync(join(output, 'chunks')).map((file) => read(join('chunks', file)));
    const ofCompute = '/virtualMachineScaleSets{?api%2Dversion}';
    assert.equal(chunks.filter((text) => text.includes(ofCompute)).length, 1);
  });

  describe('with their memory settings', () => {
    const launchers = [
      { name: 'by the launcher of a checkout', path: () => launcher },
      { name: 'by the start line of a bundle', path: () => join(output, manager) },
    ];
    const launcher = join(root, 'packages/manager/bin/cloud-controller-manager');
    const manager = 'cloud-controller-manager.js';

    for (const { name, path } of launchers) {
      it(`are started ${name}, and NODE_OPTIONS overrides them`, () => {
        if (path() !== launcher) chmodSync(path(), 0o755);
        const usual = heapOf(path(), {});
        assert.equal(usual.arenas, '1');
        assert.equal(usual.limit, heapOf(process.execPath, memorySettings()).limit);
        const larger = heapOf(path(), { NODE_OPTIONS: '--max-semi-space-size=32' });
        assert.equal(
          larger.limit,
          heapOf(process.execPath, { NODE_OPTIONS: '--max-semi-space-size=32' }).limit,
        );
        assert.notEqual(larger.limit, usual.limit);
      });
    }
  });

  const read = (file: string): string => readFileSync(join(output, file), 'utf8');

  /** The entry loads the program itself by `import()`, once it listens for signals. */
  function managerAtStart(): Set<string> {
    const entry = 'cloud-controller-manager.js';
    const loaded = loadedAtStart(entry);
    const program = [...read(entry).matchAll(/\bimport\("\.\/([^"]+)"\)/g)];
    assert.equal(program.length, 2, 'imports were followed');
    for (const [, path = ''] of program) loadedAtStart(path, loaded);
    return loaded;
  }

  /** The file and what it imports, which is all that is loaded without `import()`. */
  function loadedAtStart(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    const imports = read(file).matchAll(/^(?:import|\} from)\b.*?"(\.{1,2}\/[^"]+)";$/gm);
    for (const [, path = ''] of imports) loadedAtStart(join(dirname(file), path), seen);
    return seen;
  }

  /** Has a program report its heap's limit, which counts the young generation, when it ends. */
  function heapOf(
    program: string,
    settings: Readonly<Record<string, string>>,
  ): { readonly limit: number; readonly arenas?: string } {
    const report = join(output, 'report.mjs');
    const file = join(output, 'report.json');
    writeFileSync(
      report,
      `import { getHeapStatistics } from 'node:v8';
       import { writeFileSync } from 'node:fs';
       const limit = getHeapStatistics().heap_size_limit;
       writeFileSync(${JSON.stringify(file)}, JSON.stringify({ limit, arenas: process.env.MALLOC_ARENA_MAX }));`,
    );
    const { PATH = '' } = systemEnvironment();
    const options = `${settings['NODE_OPTIONS'] ?? ''} --import=${report}`;
    execFileSync(program, ['--version'], {
      env: {
        ...settings,
        PATH: [dirname(process.execPath), PATH].join(delimiter),
        NODE_OPTIONS: options,
      },
    });
    return JSON.parse(readFileSync(file, 'utf8'));
  }
});
