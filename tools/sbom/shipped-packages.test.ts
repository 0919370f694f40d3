import assert from 'node:assert/strict';
import { shippedPackages, type SpdxDocument } from './shipped-packages.ts';

const lock = {
  packages: {
    'packages/core': { name: '@tandem/core', version: '0.0.0' },
    'providers/aws': { name: '@tandem/provider-aws', version: '0.0.0' },
    'node_modules/pino': { version: '10.4.0' },
    'node_modules/@aws-sdk/client-ec2': { version: '3.1.0' },
    'node_modules/split2': { version: '4.2.0' },
    'node_modules/pino/node_modules/split2': { version: '3.0.0' },
    'node_modules/forgotten': { version: '1.0.0' },
  },
};

const described = [
  ['tandem', '0.0.0'],
  ['@tandem/core', '0.0.0'],
  ['@tandem/provider-aws', '0.0.0'],
  ['pino', '10.4.0'],
  ['@aws-sdk/client-ec2', '3.1.0'],
  ['split2', '4.2.0'],
  ['split2', '3.0.0'],
  ['mocha', '12.0.3'],
];

const document: SpdxDocument = {
  spdxVersion: 'SPDX-2.3',
  documentDescribes: ['tandem@0.0.0'],
  packages: described.map(([name = '', versionInfo = '']) => ({
    SPDXID: `${name}@${versionInfo}`,
    name,
    versionInfo,
  })),
  relationships: [
    ['SPDXRef-DOCUMENT', 'tandem@0.0.0', 'DESCRIBES'],
    ['pino@10.4.0', '@tandem/core@0.0.0', 'DEPENDENCY_OF'],
    ['mocha@12.0.3', 'tandem@0.0.0', 'DEV_DEPENDENCY_OF'],
  ].map(([spdxElementId = '', relatedSpdxElement = '', relationshipType = '']) => ({
    spdxElementId,
    relatedSpdxElement,
    relationshipType,
  })),
};

const idsOf = ({ packages }: SpdxDocument): string[] => packages.map(({ SPDXID }) => SPDXID);

describe('the bill of materials', () => {
  const cases = [
    { name: 'a workspace', source: 'packages/core/src/ip/parse.ts', want: '@tandem/core@0.0.0' },
    {
      name: 'a provider',
      source: 'providers/aws/src/index.ts',
      want: '@tandem/provider-aws@0.0.0',
    },
    { name: 'a package', source: 'node_modules/pino/pino.js', want: 'pino@10.4.0' },
    {
      name: 'a scoped package',
      source: 'node_modules/@aws-sdk/client-ec2/a/b.js',
      want: '@aws-sdk/client-ec2@3.1.0',
    },
    {
      name: 'a nested one',
      source: 'node_modules/pino/node_modules/split2/i.js',
      want: 'split2@3.0.0',
    },
  ];
  for (const { name, source, want } of cases) {
    it(`lists ${name} that is in the bundle, the program itself, and nothing else`, () => {
      assert.deepEqual(idsOf(shippedPackages(document, { lock, sources: [source] })), [
        'tandem@0.0.0',
        want,
      ]);
    });
  }

  it('keeps the relationships of what it lists, and the rest of the document', () => {
    const sources = ['packages/core/src/a.ts', 'node_modules/pino/pino.js'];
    const cut = shippedPackages(document, { lock, sources });
    assert.equal(cut['spdxVersion'], 'SPDX-2.3');
    assert.deepEqual(cut.relationships, document.relationships.slice(0, 2));
  });

  const gaps = [
    {
      of: 'the lock file',
      file: 'node_modules/left-pad/index.js',
      want: /lock.json does not have node_modules\/left-pad/,
    },
    {
      of: 'npm',
      file: 'node_modules/forgotten/index.js',
      want: /does not describe forgotten@1\.0\.0/,
    },
  ];
  for (const { of, file, want } of gaps) {
    it(`is refused where the bundle has something that ${of} does not know`, () => {
      assert.throws(() => shippedPackages(document, { lock, sources: [file] }), want);
    });
  }
});
