import assert from 'node:assert/strict';
import { provenanceOf, statementAbout } from './provenance.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const base = { uri: 'docker://registry.test/node', digest: { sha256: '11' } };
const predicate = provenanceOf({
  version: '1.2.0',
  commit,
  source: 'https://x.test/tandem',
  builder: 'https://x.test/tandem/.github/workflows/release.yml@refs/tags/v1.2.0',
  startedAt: new Date(0),
  finishedAt: new Date(90_500),
  dependencies: [base],
});

describe('the provenance of a release', () => {
  it('names the commit, what else was read, who built and when', () => {
    const { buildDefinition, runDetails } = predicate;
    assert.deepEqual(buildDefinition.resolvedDependencies, [
      { uri: 'git+https://x.test/tandem@refs/tags/v1.2.0', digest: { gitCommit: commit } },
      base,
    ]);
    assert.equal(buildDefinition.externalParameters['version'], '1.2.0');
    assert.equal(
      runDetails.builder.id,
      'https://x.test/tandem/.github/workflows/release.yml@refs/tags/v1.2.0',
    );
    assert.deepEqual(runDetails.metadata, {
      startedOn: '1970-01-01T00:00:00Z',
      finishedOn: '1970-01-01T00:01:30Z',
    });
  });

  it('is an in-toto statement about files by their digests', () => {
    const subject = [{ name: 'a.tgz', digest: { sha256: '00' } }];
    assert.deepEqual(statementAbout(subject, predicate), {
      _type: 'https://in-toto.io/Statement/v1',
      subject,
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate,
    });
  });
});
