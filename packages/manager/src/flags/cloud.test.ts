import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { providerProblem } from './cloud.ts';

const installed = new Set(['@acme/tandem', pathToFileURL('./acme.js').href]);
const problemOf = (text: string) => providerProblem(text, (specifier) => installed.has(specifier));

describe('--cloud-provider', () => {
  for (const text of ['aws', 'azure', 'static', 'simulated', '@acme/tandem', './acme.js']) {
    it(`accepts ${text}`, () => assert.equal(problemOf(text), undefined));
  }

  const rest =
    'this version has aws, azure, static and simulated; or give the path or package name of your own module';
  const cases = [
    ...['gce', 'hcloud', '@acme/other'].map((text) => ({
      text,
      want: `--cloud-provider "${text}" is not available in this version, and no package of that name is installed: ${rest} (docs/guides/write-a-provider.md)`,
    })),
    {
      text: 'Static',
      want: `--cloud-provider "Static" is not available in this version, and no package of that name is installed: did you mean static? If not, ${rest} (docs/guides/write-a-provider.md)`,
    },
    {
      text: './nowhere.js',
      want: `--cloud-provider "./nowhere.js" is not a file: ${rest} (docs/guides/write-a-provider.md)`,
    },
  ];
  for (const { text, want } of cases) {
    it(`refuses ${text} with advice`, () => assert.equal(problemOf(text), want));
  }
});
