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
    {
      text: '[Global]\nZone=us-gov-east-1b\nRegion=us-gov-east-1',
      want: { region: 'us-gov-east-1' },
    },
    { text: '[global]\nREGION=eu-west-1', want: { region: 'eu-west-1' } },
    { text: '[Global]\nKubernetesClusterID=blue', want: { clusterId: 'blue' } },
    {
      text: '[Global]\nRoleARN=arn:aws-cn:iam::123456789012:role/path/x',
      want: { roleARN: 'arn:aws-cn:iam::123456789012:role/path/x' },
    },
    {
      text: '[Global]\nSourceARN=arn:aws:eks:eu-west-1:123456789012:cluster/x',
      want: { sourceARN: 'arn:aws:eks:eu-west-1:123456789012:cluster/x' },
    },
    { text: '[Global]\nkubernetesClusterTag=blue', want: { clusterId: 'blue' } },
    {
      text: '[Global]\nKubernetesClusterTag=blue\nKubernetesClusterID=blue',
      want: { clusterId: 'blue' },
    },
    { text: '[Global]\nRegion\nDisableSecurityGroupIngress', want: {} },
    {
      text: '[Global]\nClusterServiceSharedLoadBalancerHealthProbePort=1\nClusterServiceSharedLoadBalancerHealthProbePath=/',
      want: {},
    },
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
    {
      text: `${override}SigningName=ec2\nSigningMethod=v4\n`,
      want: { overrides: [{ region: 'r', url: 'https://x', signingRegion: 's' }] },
    },
    {
      text: `${override.replace('EC2', 'elasticloadbalancing')}SigningName=elb\n`,
      want: {},
    },
    {
      text: '[Global]\nvpc=a\nColour=red\n[Colours]\nRed=1',
      want: { unknownKeys: ['Colour (line 3)', 'Red (line 5)'] },
    },
    { text: '[constructor]\nname=1', want: { unknownKeys: ['name (line 2)'] } },
  ];
  for (const { text, want } of cases) {
    it(`are read from ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readSettings(text), { kind: 'read', settings: { ...defaults, ...want } }));
  }

  const refused = [
    {
      text: '[Global]\nZone=somewhere',
      want: ['line 2: Zone "somewhere" does not begin with a region'],
    },
    {
      text: '[Global]\nRegion=us-east-1\nZone=eu-west-1a',
      want: [
        'line 2: Region "us-east-1" is not the region of Zone "eu-west-1a". Remove one of them',
      ],
    },
    {
      text: '[Global]\nKubernetesClusterID=blue\nKubernetesClusterTag=green',
      want: [
        'line 3: KubernetesClusterTag "green" is not the KubernetesClusterID "blue". Remove one of them',
      ],
    },
    ...['IPv4', 'ipv4,ipv6', 'constructor', '__proto__'].map((families) => ({
      text: `[Global]\nNodeIPFamilies=${families}`,
      want: [`line 2: NodeIPFamilies "${families}" must be ipv4 or ipv6. Repeat the key for both`],
    })),
    ...['nope', 'arn:aws:iam::123456789012:user/x', 'arn:aws:iam::1:role/x'].map((arn) => ({
      text: `[Global]\nRoleARN=${arn}`,
      want: [`line 2: RoleARN "${arn}" is not the ARN of a role`],
    })),
    {
      text: '[Global]\nSourceARN=arn:aws:eks::1:cluster/x',
      want: ['line 2: SourceARN "arn:aws:eks::1:cluster/x" is not an ARN with an account'],
    },
    {
      text: '[Global]\nRouteTableID=rtb-1\nRouteTableID=table\nRouteTableID=rtb-1 rtb-2',
      want: [
        'line 3: RouteTableID "table" is not the id of a route table',
        'line 4: RouteTableID "rtb-1 rtb-2" is not the id of a route table',
      ],
    },
    {
      text: '[Global]\nSupportedTopologyInstanceTypePattern=(',
      want: ['line 2: SupportedTopologyInstanceTypePattern "(" is not a regular expression'],
    },
    {
      text: override.replace('URL', 'Url2'),
      want: ['line 1: [ServiceOverride "1"] has no URL'],
    },
    {
      text: `${override}signingname=compute\n`,
      want: [
        'line 6: [ServiceOverride "1"] has SigningName "compute", but Tandem signs calls to EC2 as ec2',
      ],
    },
    ...['x', 'x:8080', 'ftp://x'].map((url) => ({
      text: override.replace('https://x', url),
      want: ['line 4: [ServiceOverride "1"] has a URL that is not http or https'],
    })),
    {
      text: override + override,
      want: ['line 6: EC2 has two ServiceOverrides for region "r"'],
    },
    {
      text: '[ServiceOverride "1"]\nURL=https://x\n[ServiceOverride "2"]\nService=ec2',
      want: [
        'line 1: [ServiceOverride "1"] has no Service',
        'line 1: [ServiceOverride "1"] has no Region',
        'line 1: [ServiceOverride "1"] has no SigningRegion',
        'line 3: [ServiceOverride "2"] has no Region',
        'line 3: [ServiceOverride "2"] has no SigningRegion',
        'line 3: [ServiceOverride "2"] has no URL',
      ],
    },
    {
      text: 'Zone=a\n[Global]\nRoleARN=nope\nNodeIPFamilies=ipv5\nZone: b\n[Global\nRoleARN=x',
      want: [
        'line 1: this line is not in a section',
        'line 3: RoleARN "nope" is not the ARN of a role',
        'line 4: NodeIPFamilies "ipv5" must be ipv4 or ipv6. Repeat the key for both',
        'line 5: this line is not of the form key = value',
        'line 6: this line is not a valid section',
      ],
    },
  ];
  for (const { text, want } of refused) {
    it(`are refused with all problems: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readSettings(text), { kind: 'invalid', problems: want }));
  }
});
