/** What is in the programs that ship, and what is not. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePrograms } from './bundle.ts';

const root = join(import.meta.dirname, '../..');

describe('the programs that ship', () => {
  let output = '';

  before(async function () {
    this.timeout(60_000);
    output = mkdtempSync(join(tmpdir(), 'tandem-bundle-'));
    await bundlePrograms({ root, output });
  });

  after(() => rmSync(output, { recursive: true }));

  it('hold of the client library what reads kubeconfigs, and no generated model of it', () => {
    const files = readdirSync(output, { recursive: true, encoding: 'utf8' });
    const scripts = files.filter((file) => file.endsWith('.js'));
    const text = scripts.map((file) => readFileSync(join(output, file), 'utf8')).join('\n');
    const ofClientLibrary = new Set(text.match(/@kubernetes\/client-node\/\S+\.js/g));
    assert.deepEqual([...ofClientLibrary], ['@kubernetes/client-node/dist/config_types.js']);
    assert.doesNotMatch(text, /ObjectSerializer|class V1Pod\b/);
  });

  it('hold the SDK of AWS in chunks that are loaded on demand', () => {
    const read = (file: string): string => readFileSync(join(output, file), 'utf8');
    assert.doesNotMatch(read('cloud-controller-manager.js'), /DescribeInstances|aws4_request/);
    const chunks = readdirSync(join(output, 'chunks')).map((file) => read(join('chunks', file)));
    assert.equal(chunks.filter((text) => text.includes('DescribeInstances')).length, 1);
  });
});
