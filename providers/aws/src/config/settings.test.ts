import assert from 'node:assert/strict';
import { readSettings } from './settings.ts';

describe('settings of a cloud.conf', () => {
  const defaults = {
    region: undefined,
    clusterId: undefined,
    roleARN: undefined,
    sourceARN: undefined,
    routeTableIds: [],
    families: ['IPv4'],
    topologyTypes: /^(hpc|trn|p)[0-9]+[a-z]*(-[a-z0-9]+)?(\.[0-9a-z]*)$/,
    overrides: [],
    unknownKeys: [],
  };
  const override = '[ServiceOverride "1"]\nService=EC2\nRegion=r\nURL=https://x\nSigningRegion=s\n';

  const cases = [
    { text: '', want: {} },
    { text: '[Global]\nZone=us-west-2-lax-1a', want: { region: 'us-west-2' } },
    { text: '[Global]\nZone=us-gov-east-1b\nRegion=x', want: { region: 'us-gov-east-1' } },
    { text: '[global]\nREGION=eu-west-1', want: { region: 'eu-west-1' } },
    { text: '[Global]\nKubernetesClusterID=blue', want: { clusterId: 'blue' } },
    { text: '[Global]\nRoleARN=arn:aws:iam::1:role/x', want: { roleARN: 'arn:aws:iam::1:role/x' } },
    {
      text: '[Global]\nSourceARN=arn:aws:eks:eu-west-1:123456789012:cluster/x',
      want: { sourceARN: 'arn:aws:eks:eu-west-1:123456789012:cluster/x' },
    },
    { text: '[Global]\nkubernetesClusterTag=blue', want: { clusterId: 'blue' } },
    {
      text: '[Global]\nRouteTableID=rtb-1\nRouteTableID=\nroutetableid=rtb-2',
      want: { routeTableIds: ['rtb-1', 'rtb-2'] },
    },
    {
      text: '[Global]\nSupportedTopologyInstanceTypePattern=^t3[.]',
      want: { topologyTypes: /^t3[.]/ },
    },
    { text: '[Global]\nNodeIPFamilies=ipv6', want: { families: ['IPv6'] } },
    {
      text: '[Global]\nNodeIPFamilies=ipv6\nnodeipfamilies=ipv4\nNodeIPFamilies=ipv6',
      want: { families: ['IPv6', 'IPv4'] },
    },
    {
      text: override,
      want: { overrides: [{ region: 'r', url: 'https://x', signingRegion: 's' }] },
    },
    { text: override.replace('EC2', 'elasticloadbalancing'), want: {} },
    {
      text: '[Global]\nvpc=a\nColour=red\n[Colours]\nRed=1',
      want: { unknownKeys: ['Colour (line 3)', 'Red (line 5)'] },
    },
  ];
  for (const { text, want } of cases) {
    it(`are read from ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readSettings(text), { ...defaults, ...want }));
  }

  const refused = [
    { text: '[Global]\nZone=somewhere', want: /^Zone "somewhere" does not begin with a region$/ },
    { text: '[Global]\nNodeIPFamilies=IPv4', want: /"IPv4" must be ipv4 or ipv6/ },
    { text: '[Global]\nNodeIPFamilies=ipv4,ipv6', want: /^line 2: .* Repeat the key for both$/ },
    {
      text: '[Global]\nSourceARN=arn:aws:eks::1:cluster/x',
      want: /^line 2: SourceARN "arn:aws:eks::1:cluster\/x" is not an ARN with an account$/,
    },
    {
      text: '[Global]\nSupportedTopologyInstanceTypePattern=(',
      want: /^line 2: SupportedTopologyInstanceTypePattern "\(" is not a regular expression$/,
    },
    { text: override.replace('URL', 'Url2'), want: /^\[ServiceOverride "1"\] has no URL$/ },
    { text: override.replace('https://', ''), want: /has an invalid URL$/ },
    { text: override + override, want: /^EC2 has two ServiceOverrides for region "r"$/ },
    { text: override.replace('Service=', 'X='), want: /^\[ServiceOverride "1"\] has no Service$/ },
  ];
  for (const { text, want } of refused) {
    it(`are refused: ${JSON.stringify(text)}`, () =>
      assert.throws(() => readSettings(text), { message: want }));
  }
});
