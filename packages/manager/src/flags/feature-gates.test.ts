import assert from 'node:assert/strict';
import { featureGates, readGates } from './feature-gates.ts';

function read(...texts: readonly string[]) {
  const settings = featureGates.type.read(texts);
  assert.ok(settings.kind === 'value');
  const { gates, problems, notes } = readGates(settings.value);
  return {
    isOn: gates.CloudNodeIPs,
    problems,
    accepted: notes.map(({ fields }) => fields['gate']),
  };
}

describe('--feature-gates', () => {
  const cases = [
    { texts: [''], want: { isOn: true } },
    { texts: ['CloudNodeIPs=false'], want: { isOn: false } },
    { texts: [' CloudNodeIPs = F '], want: { isOn: false } },
    { texts: ['CloudNodeIPs=false,CloudNodeIPs=true'], want: { isOn: true } },
    { texts: ['CloudNodeIPs=true', 'CloudNodeIPs=false'], want: { isOn: false } },
    {
      texts: ['CloudControllerManagerWebhook=true,AllAlpha=false'],
      want: { isOn: true, accepted: ['CloudControllerManagerWebhook', 'AllAlpha'] },
    },
  ];
  for (const { texts, want } of cases) {
    it(`accepts ${JSON.stringify(texts)}`, () => {
      assert.deepEqual(read(...texts), { problems: [], accepted: [], ...want });
    });
  }

  const mistakes = [
    {
      text: 'cloudnodeips=true',
      want: /"cloudnodeips" is not a feature gate: did you mean CloudNodeIPs\?/,
    },
    { text: 'Foo=true', want: /"Foo" is not a feature gate: Tandem has CloudNodeIPs/ },
    {
      text: 'CloudDualStackNodeIPs=true',
      want: /no longer exists: dual-stack node IPs are always on/,
    },
    { text: `${'x'.repeat(500)}=true`, want: /^.{1,160}$/ },
  ];
  for (const { text, want } of mistakes) {
    it(`refuses ${text.slice(0, 40)}`, () => {
      const { problems } = read(text);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', want);
    });
  }

  it('refuses a gate without a boolean value', () => {
    assert.equal(featureGates.type.read(['CloudNodeIPs']).kind, 'invalid');
    assert.equal(featureGates.type.read(['CloudNodeIPs=maybe']).kind, 'invalid');
  });
});
