import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openVex, type VexOptions, type VexStatement } from './openvex.ts';

const options: VexOptions = {
  product: 'pkg:oci/cloud-controller-manager@sha256%3A00?repository_url=registry.test/tandem',
  id: 'https://x.test/vex/1.2.0',
  author: 'the Tandem project',
  time: new Date(0),
};
const component = 'pkg:npm/left-pad@1.0.0';
const harmless: VexStatement = {
  vulnerability: 'CVE-0000-0001',
  component,
  status: 'not_affected',
  justification: 'vulnerable_code_not_in_execute_path',
};

describe('the OpenVEX document', () => {
  it('has what OpenVEX 0.2 requires, about the image and the package in it', () => {
    assert.deepEqual(openVex([harmless], options), {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': options.id,
      author: options.author,
      timestamp: '1970-01-01T00:00:00.000Z',
      version: 1,
      statements: [
        {
          vulnerability: { name: 'CVE-0000-0001' },
          products: [{ '@id': options.product, subcomponents: [{ '@id': component }] }],
          status: 'not_affected',
          justification: 'vulnerable_code_not_in_execute_path',
        },
      ],
    });
  });

  const { justification: _, ...bare } = harmless;
  const cases: readonly { name: string; statements: readonly VexStatement[]; want: RegExp }[] = [
    { name: 'no statement', statements: [], want: /no document without a statement/ },
    { name: 'no reason', statements: [bare], want: /CVE-0000-0001: a justification belongs/ },
    { name: 'no remedy', statements: [{ ...bare, status: 'affected' }], want: /an action belongs/ },
    {
      name: 'a package without its URL',
      statements: [{ ...harmless, component: 'left-pad' }],
      want: /no package URL/,
    },
  ];
  for (const { name, statements, want } of cases) {
    it(`is refused with ${name}`, () => {
      assert.throws(() => openVex(statements, options), want);
    });
  }

  it('can be made of the statements that are kept', () => {
    const file = join(import.meta.dirname, '../../security/vex-statements.json');
    const kept: VexStatement[] = JSON.parse(readFileSync(file, 'utf8'));
    if (kept.length > 0) assert.ok(openVex(kept, options));
    else assert.deepEqual(kept, []);
  });
});
