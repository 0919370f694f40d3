/** Tests the start: the sources of the region, the cluster and the endpoint, and what the provider refuses. */
import assert from 'node:assert/strict';
import type { NodeRef } from '@tandem/provider/plug';
import { afterTurn, type Environment } from '@tandem/runtime';
import {
  anInstance,
  aTable,
  FakeEC2,
  FakeMetadata,
  FakeSTS,
  RefusingProxy,
  withInstance,
  withTable,
} from '../../../test/support/ec2/index.ts';
import { type AWSWorld, dualStackConfig, openAWSWorld } from './aws.fixture.ts';
import { joinableMsMax } from './sdk/bounded-source.ts';

const { signal } = new AbortController();
const unreachableProxy = 'http://127.0.0.1:1';
/** No server listens on this port. */
const noServer = 'https://127.0.0.1:1';
const withoutMetadata = { AWS_EC2_METADATA_DISABLED: 'true' };

describe('starting on AWS', () => {
  const regionIn = async (config: string, variables: Environment): Promise<unknown> => {
    await using world = await openAWSWorld(config, variables);
    const answer = await lookUpFirst(world, 'any', anInstance(1).id);
    return answer?.kind === 'found' ? answer.instance.region : answer?.kind;
  };

  it('takes the region of the configuration, the environment or the instance, in this order', async () => {
    await using metadata = await FakeMetadata.start({ 'placement/region': 'eu-west-1' });
    const ofInstance = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
    const wrong = { AWS_REGION: 'us-east-1', ...withoutMetadata };
    assert.equal(await regionIn('[Global]\nZone=eu-west-1c', wrong), 'eu-west-1');
    assert.equal(await regionIn('[Global]\nregion=eu-west-1', wrong), 'eu-west-1');
    assert.equal(await regionIn('', { AWS_REGION: 'eu-west-1', ...withoutMetadata }), 'eu-west-1');
    assert.equal(await regionIn('', { AWS_DEFAULT_REGION: 'eu-west-1' }), 'eu-west-1');
    assert.equal(await regionIn('', ofInstance), 'eu-west-1');
    await using overIPv6 = await FakeMetadata.start({ 'placement/region': 'eu-west-1' }, '::1');
    const ofIPv6 = { AWS_EC2_METADATA_SERVICE_ENDPOINT: overIPv6.url };
    assert.equal(await regionIn('', ofIPv6), 'eu-west-1');
  });

  it('fails with advice when the region is not known', async () => {
    await assert.rejects(openAWSWorld('', withoutMetadata), {
      code: 'AWSRegionUnknown',
      message: /Set Region in --cloud-config, or AWS_REGION\. .*AWS_EC2_METADATA_DISABLED is true/,
    });
    await using metadata = await FakeMetadata.start({});
    const variables = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
    await assert.rejects(openAWSWorld('', variables), { message: /404.* hop limit .* of 2/ });
  });

  it('refuses an invalid configuration, and names the line', async () => {
    const cases = [
      {
        config: 'Zone=eu-west-1a',
        want: /cloud\.conf" is invalid: line 1: this line is not in a section$/,
      },
      { config: '[Global]\nNodeIPFamilies=ipv5', want: /line 2: NodeIPFamilies "ipv5" must be/ },
      { config: '[Global]\nSourceARN=arn', want: /line 2: SourceARN "arn" is not an ARN with an/ },
    ];
    for (const { config, want } of cases) {
      await assert.rejects(openAWSWorld(config), { code: 'AWSConfigInvalid', message: want });
    }
  });

  it('refuses an endpoint variable that is not a URL, and names it', async () => {
    const config = `${dualStackConfig}RoleARN=arn:aws:iam::123456789012:role/nodes\n`;
    for (const name of ['AWS_ENDPOINT_URL_EC2', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_STS']) {
      const variables = { AWS_ENDPOINT_URL_EC2: '', [name]: 'user:secret@127.0.0.1:80' };
      await assert.rejects(openAWSWorld(config, variables), {
        code: 'AWSConfigInvalid',
        message: `${name} is not an http or https URL`,
      });
    }
  });

  it('refuses endpoint switches that the SDK would ignore, and names the variable', async () => {
    for (const name of ['AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT']) {
      await assert.rejects(openAWSWorld(dualStackConfig, { [name]: 'TRUE' }), {
        code: 'AWSConfigInvalid',
        message: `${name} must be true or false, in lower case`,
      });
    }
  });

  it('logs the region, the cluster and the families that it found', async () => {
    await using world = await openAWSWorld(dualStackConfig);
    const line = world.log.find((text) => text.includes('Read the settings for EC2'));
    const { region, clusterID, nodeIPFamilies } = JSON.parse(line ?? '{}');
    assert.deepEqual([region, clusterID, nodeIPFamilies], ['eu-west-1', 'blue', ['IPv4', 'IPv6']]);
  });

  it('accepts the keys of upstream, and logs those that it does not know', async () => {
    const config = '[global]\nZONE=eu-west-1a\nVPC=vpc-1\nElbSecurityGroup=sg-1\nColour=blue\n';
    await using world = await openAWSWorld(config);
    assert.match(world.log.join(''), /"unknownKeys":\["Colour \(line 5\)"\]/);
  });

  it('calls the endpoint of a service override, whatever the letter case of its service', async () => {
    const override = await FakeEC2.start('us-gov-west-1');
    override.state = withInstance(override.state, anInstance(1));
    const config = `[Global]
      Region = eu-west-1
      [ServiceOverride "1"]
      Service = eC2
      Region = eu-west-1
      URL = ${override.url}
      SigningRegion = us-gov-west-1`;
    await using world = await openAWSWorld(config);
    assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
    await override.close();
  });

  it('uses a temporary key of the environment together with its session token', async () => {
    const key = { AWS_ACCESS_KEY_ID: 'ASIAROLE', AWS_SESSION_TOKEN: 'session-of-the-role' };
    await using world = await openAWSWorld(dualStackConfig, key);
    world.ec2.accessKeyId = key.AWS_ACCESS_KEY_ID;
    assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
  });

  it('assumes the role of the configuration', async () => {
    const arn = 'arn:aws:iam::123456789012:role/nodes';
    const role = { arn, assumedBy: 'AKIDEXAMPLE', accessKeyId: 'ASIAROLE' };
    await using sts = await FakeSTS.start(role);
    const config = `${dualStackConfig}RoleARN=${arn}\n`;
    await using world = await openAWSWorld(config, { AWS_ENDPOINT_URL_STS: sts.url });
    world.ec2.accessKeyId = role.accessKeyId;
    assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
    await using other = await openAWSWorld(config.replace('nodes', 'others'), {
      AWS_ENDPOINT_URL_STS: sts.url,
    });
    const answer = await lookUpFirst(other, 'any', anInstance(1).id);
    assert(answer?.kind === 'unknown');
    assert.match(answer.err.message, /^EC2 refuses DescribeInstances: AccessDenied\./);
  });

  it('assumes a role on behalf of its cluster', async () => {
    const arn = 'arn:aws:iam::123456789012:role/nodes';
    const sourceARN = 'arn:aws:eks:eu-west-1:123456789012:cluster/blue';
    const role = { arn, sourceARN, assumedBy: 'AKIDEXAMPLE', accessKeyId: 'ASIAROLE' };
    await using sts = await FakeSTS.start(role);
    const variables = { AWS_ENDPOINT_URL_STS: sts.url };
    const config = `${dualStackConfig}RoleARN=${arn}\n`;
    await using world = await openAWSWorld(`${config}SourceARN=${sourceARN}\n`, variables);
    world.ec2.accessKeyId = role.accessKeyId;
    assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
    const other = sourceARN.replace('blue', 'green');
    for (const lines of ['', `SourceARN=${other}\n`]) {
      await using refused = await openAWSWorld(`${config}${lines}`, variables);
      assert.equal((await lookUpFirst(refused, 'any', anInstance(1).id))?.kind, 'unknown');
    }
  });

  it('assumes the role again when its credentials expire', async () => {
    const arn = 'arn:aws:iam::123456789012:role/nodes';
    const sourceARN = 'arn:aws:eks:eu-west-1:123456789012:cluster/blue';
    const role = { arn, sourceARN, assumedBy: 'AKIDEXAMPLE', accessKeyId: 'ASIAROLE' };
    await using sts = await FakeSTS.start(role);
    sts.expiration = '2020-01-01T00:00:00Z';
    const config = `${dualStackConfig}RoleARN=${arn}\nSourceARN=${sourceARN}\n`;
    await using world = await openAWSWorld(config, { AWS_ENDPOINT_URL_STS: sts.url });
    world.ec2.accessKeyId = role.accessKeyId;
    for (let look = 0; look < 3; look++) {
      assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
    }
  });

  it('gives up on credentials that do not arrive, says so, and requests them again', async () => {
    const arn = 'arn:aws:iam::123456789012:role/nodes';
    const role = { arn, assumedBy: 'AKIDEXAMPLE', accessKeyId: 'ASIAROLE' };
    await using sts = await FakeSTS.start(role);
    const config = `${dualStackConfig}RoleARN=${arn}\n`;
    await using world = await openAWSWorld(config, { AWS_ENDPOINT_URL_STS: sts.url });
    world.ec2.accessKeyId = role.accessKeyId;
    sts.isMute = true;
    const looking = lookUpFirst(world, 'any', anInstance(1).id);
    while (sts.calls === 0) await new Promise<void>(afterTurn);
    await world.clock.advance(8_000);
    const answer = await looking;
    assert(answer?.kind === 'unknown');
    assert.match(answer.err.message, /: no credentials: no answer within 8000 ms$/);
    sts.isMute = false;
    // Before this, the next call would wait for the same request.
    await world.clock.advance(joinableMsMax);
    assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'found');
  });

  it('uses the proxy of the environment, except for the hosts of NO_PROXY', async () => {
    // The fake accepts requests for any host, as a proxy does.
    const proxy = await FakeEC2.start();
    proxy.state = withInstance(proxy.state, anInstance(1));
    await using behind = await openAWSWorld(dualStackConfig, {
      AWS_ENDPOINT_URL_EC2: 'http://ec2.eu-west-1.test',
      HTTP_PROXY: proxy.url,
    });
    assert.equal((await lookUpFirst(behind, 'any', anInstance(1).id))?.kind, 'found');
    await using withoutScheme = await openAWSWorld(dualStackConfig, {
      AWS_ENDPOINT_URL_EC2: 'http://ec2.eu-west-1.test',
      HTTP_PROXY: proxy.url.replace('http://', ''),
    });
    assert.equal((await lookUpFirst(withoutScheme, 'any', anInstance(1).id))?.kind, 'found');
    await proxy.close();
    const past = { HTTP_PROXY: unreachableProxy, NO_PROXY: '127.0.0.1' };
    await using direct = await openAWSWorld(dualStackConfig, past);
    assert.equal((await lookUpFirst(direct, 'any', anInstance(1).id))?.kind, 'found');
  });

  describe('through HTTPS_PROXY', () => {
    const arn = 'arn:aws:iam::123456789012:role/nodes';
    const cases = [
      {
        name: 'calls the endpoint of the region',
        variables: {},
        want: 'ec2.eu-west-1.amazonaws.com',
      },
      {
        name: 'calls the FIPS endpoint',
        variables: { AWS_USE_FIPS_ENDPOINT: 'true' },
        want: 'ec2-fips.eu-west-1.amazonaws.com',
      },
      {
        name: 'calls the dual-stack endpoint',
        variables: { AWS_USE_DUALSTACK_ENDPOINT: 'true' },
        want: 'ec2.eu-west-1.api.aws',
      },
      {
        name: 'calls the dual-stack FIPS endpoint',
        variables: { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' },
        want: 'ec2-fips.eu-west-1.api.aws',
      },
      {
        name: 'assumes a role',
        lines: `RoleARN=${arn}\n`,
        variables: {},
        want: 'sts.eu-west-1.amazonaws.com',
      },
      {
        name: 'calls no host that NO_PROXY names',
        variables: { NO_PROXY: '127.0.0.1', AWS_ENDPOINT_URL_EC2: noServer },
        want: undefined,
      },
      {
        name: 'calls no address of a CIDR that NO_PROXY names',
        variables: { no_proxy: '.svc,127.0.0.0/8', AWS_ENDPOINT_URL_EC2: noServer },
        want: undefined,
      },
    ];
    for (const { name, lines = '', variables, want } of cases) {
      it(name, async () => {
        await using proxy = await RefusingProxy.start();
        await using world = await openAWSWorld(`${dualStackConfig}${lines}`, {
          AWS_ENDPOINT_URL_EC2: '',
          https_proxy: proxy.url,
          ...variables,
        });
        assert.equal((await lookUpFirst(world, 'any', anInstance(1).id))?.kind, 'unknown');
        assert.deepEqual([...new Set(proxy.hosts)], want === undefined ? [] : [`${want}:443`]);
      });
    }
  });

  describe('without the id of the cluster', () => {
    const config = '[Global]\nZone=eu-west-1a\n';
    const { privateDnsName: name, id } = anInstance(1);

    it('reads it from the tags of its own instance', async () => {
      await using metadata = await FakeMetadata.start({ 'instance-id': id });
      const variables = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
      await using world = await openAWSWorld(config, variables);
      assert.equal((await lookUpFirst(world, name))?.kind, 'found');
      await world.provider.checkAccess?.({ signal });
    });

    it('returns unknown for names when its own instance has the tags of no cluster, or of two', async () => {
      await using metadata = await FakeMetadata.start({ 'instance-id': id });
      const variables = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
      await using world = await openAWSWorld(config, variables);
      const cases = [
        {
          tags: {},
          want: new RegExp(`: ${id} has no kubernetes\\.io/cluster/<id> tag\\. Set Kube`),
        },
        {
          tags: { 'kubernetes.io/cluster/blue': '', KubernetesCluster: 'green' },
          want: /the tags of two clusters, blue and green/,
        },
      ];
      for (const { tags, want } of cases) {
        world.ec2.state = withInstance(world.ec2.state, anInstance(1, { tags }));
        const answer = await lookUpFirst(world, name, '', false);
        assert(answer?.kind === 'unknown');
        assert.match(answer.err.message, want);
        assert.equal((await lookUpFirst(world, 'any', id, false))?.kind, 'found');
        assert.deepEqual(await gapsOf(world), [
          ['AWSClusterUnknown', 'Nodes that register without a providerID are not initialised'],
        ]);
      }
    });

    it('says so when EC2 does not show its own instance', async () => {
      const elsewhere = 'i-00000000000000fff';
      await using metadata = await FakeMetadata.start({ 'instance-id': elsewhere });
      const variables = { AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.url };
      await using world = await openAWSWorld(config, variables);
      const answer = await lookUpFirst(world, name);
      assert(answer?.kind === 'unknown');
      assert.equal(
        answer.err.message,
        `The id of the cluster is not known: EC2 does not show ${elsewhere}, the instance of the manager, ` +
          'which is in another account or region. Set KubernetesClusterID in --cloud-config',
      );
    });

    it('says so when there is no metadata service, and still finds instances by providerID', async () => {
      await using world = await openAWSWorld(config, withoutMetadata);
      const answer = await lookUpFirst(world, name);
      assert(answer?.kind === 'unknown');
      assert.match(answer.err.message, /hop limit of 2, did not answer\. Set KubernetesClusterID/);
      assert.equal((await lookUpFirst(world, 'any', id))?.kind, 'found');
    });
  });

  describe('checks its access at start', () => {
    let world: AWSWorld;
    beforeEach(async () => {
      world = await openAWSWorld(dualStackConfig, {}, ['10.244.0.0/16', 'fd00:10:244::/48']);
      world.ec2.state = withTable(world.ec2.state, table);
    });
    afterEach(() => world[Symbol.asyncDispose]());

    it('and fails when the policy allows no look-ups', async () => {
      world.ec2.denied.add('DescribeInstances');
      await assert.rejects(gapsOf(world), {
        code: 'EC2AccessRefused',
        retry: 'never',
        message: /^EC2 refuses DescribeInstances: UnauthorizedOperation\./,
      });
      world.ec2.denied.clear();
      assert.deepEqual(await gapsOf(world), []);
    });

    it('and shares its answers with look-ups', async () => {
      await Promise.all([gapsOf(world), lookUpFirst(world, 'any', anInstance(1).id)]);
      assert.deepEqual(await gapsOf(world), []);
      const { calls } = world.ec2;
      assert.equal(calls.filter((action) => action === 'DescribeAvailabilityZones').length, 1);
    });

    it('and names what does not work without another action', async () => {
      world.ec2.denied.add('DescribeAvailabilityZones');
      world.ec2.denied.add('DescribeRouteTables');
      const noZones = ['EC2AccessRefused', 'Nodes get no label topology.k8s.aws/zone-id'];
      assert.deepEqual(await gapsOf(world), [noZones]);
      const noRoutes = ['EC2AccessRefused', 'Some or all nodes get no routes'];
      assert.deepEqual(await gapsOf(world, 1), [noZones, noRoutes]);
    });

    it('and names the changes of routes that the policy does not allow, without making any', async () => {
      const local = { destination: '10.0.0.0/16', target: { gatewayId: 'local' } };
      const routed = withTable(world.ec2.state, { ...table, routes: [local] });
      const state = withInstance(routed, anInstance(1));
      world.ec2.state = state;
      assert.deepEqual(await gapsOf(world, 1), []);
      const consequences = {
        CreateRoute: 'New nodes get no routes',
        ReplaceRoute: 'Routes that lead elsewhere are not corrected',
        DeleteRoute: 'Routes of nodes that are gone stay',
        ModifyNetworkInterfaceAttribute:
          'Nodes whose interface checks source and destination get no routes',
      };
      for (const [action, consequence] of Object.entries(consequences)) {
        world.ec2.denied.add(action);
        const [gap, ...others] =
          (await world.provider.checkAccess?.({ signal, routedNodes: 1 })) ?? [];
        assert.deepEqual([gap?.consequence, others], [consequence, []]);
        assert.match(gap?.err.message ?? '', new RegExp(`^EC2 refuses ${action}: Unauthorized`));
        world.ec2.denied.clear();
      }
      assert.equal(world.ec2.state, state);
      const changes = world.ec2.calls.filter((action) => !action.startsWith('Describe'));
      assert(changes.every((action) => action.endsWith(' (dry run)')));
      const text = await world.metrics.render();
      // Only the refused one is an error.
      assert.match(text, /^cloudprovider_aws_api_request_errors\{request="create_route"\} 1$/m);
    });

    it('and changes no route where dry runs are ignored', async () => {
      const local = { destination: '10.0.0.0/16', target: { gatewayId: 'local' } };
      world.ec2.state = withTable(world.ec2.state, { ...table, routes: [local] });
      world.ec2.state = withInstance(world.ec2.state, anInstance(1));
      world.ec2.ignoresDryRuns = true;
      assert.deepEqual(await gapsOf(world, 1), []);
      assert.equal(world.ec2.calls.filter((action) => action.endsWith('(dry run)')).length, 4);
      assert.deepEqual(world.ec2.state.tables.get(table.id)?.routes, [local]);
    });

    it('and reports that there is no route table', async () => {
      world.ec2.state = withTable(world.ec2.state, { ...table, tags: {} });
      const noRoutes = ['AWSRouteTableUnknown', 'Some or all nodes get no routes'];
      assert.deepEqual(await gapsOf(world, 1), [noRoutes]);
      assert.deepEqual(await gapsOf(world), []);
    });

    it('and compares the number of nodes with the capacity of a table', async () => {
      const gateway = { destination: '0.0.0.0/0', target: { gatewayId: 'igw-1' } };
      world.ec2.state = withTable(world.ec2.state, { ...table, routes: [gateway] });
      assert.deepEqual(await gapsOf(world, 999), []);
      const [gap] = (await world.provider.checkAccess?.({ signal, routedNodes: 1_000 })) ?? [];
      assert.equal(
        gap?.err.message,
        `Route table ${table.id} takes 1000 IPv4 routes, 1 of which lead elsewhere, but 1000 nodes need one each. ` +
          'Take pod CIDRs from EC2, use a network plugin that encapsulates, or select fewer nodes',
      );
    });

    it('and compares it with the limit that a refusal showed', async () => {
      const key = anInstance(1).id;
      world.ec2.state = withInstance(
        withTable(world.ec2.state, { ...table, routesMax: 0 }),
        anInstance(1),
      );
      assert.deepEqual(await gapsOf(world, 1), []);
      const to = { key, name: 'node-1', addresses: {} };
      const destination = 'fd00:10:244:1::/64';
      await world.provider.routes?.apply([{ kind: 'create', table: table.id, destination, to }], {
        signal,
        beforeWrite: () => {},
      });
      const [gap] = (await world.provider.checkAccess?.({ signal, routedNodes: 1 })) ?? [];
      assert.match(gap?.err.message ?? '', /takes 0 IPv6 routes, .* but 1 nodes need one each\./);
    });

    it('and ignores the capacity for families that pods do not have', async () => {
      await using single = await openAWSWorld(dualStackConfig, {}, ['fd00:10:244::/48']);
      const routes = Array.from({ length: 1_000 }, (_, index) => ({
        destination: `10.${index >> 8}.${index & 255}.0/24`,
        target: { gatewayId: 'igw-1' },
      }));
      single.ec2.state = withTable(single.ec2.state, { ...table, routes });
      assert.deepEqual(await gapsOf(single, 1_000), []);
    });
  });
});

const table = aTable(1);

/** Returns the code and the consequence of each gap. */
async function gapsOf({ provider }: AWSWorld, routedNodes?: number): Promise<unknown[]> {
  const options = { signal, ...(routedNodes !== undefined && { routedNodes }) };
  const gaps = (await provider.checkAccess?.(options)) ?? [];
  return gaps.map(({ err, consequence }) => [Reflect.get(err, 'code'), consequence]);
}

async function lookUpFirst(world: AWSWorld, name: string, providerID = '', isFresh = true) {
  if (isFresh) world.ec2.state = withInstance(world.ec2.state, anInstance(1));
  const node: NodeRef = { name, uid: 'u', providerID, labels: {}, systemUUID: '' };
  return (await world.provider.lookup([node], { maxAgeMs: 0, signal })).get(name);
}
