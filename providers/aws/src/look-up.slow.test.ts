/** Tests look-ups with the real SDK against the fake of EC2. */
import assert from 'node:assert/strict';
import type { LookupAnswer, NodeRef } from '@tandem/provider/plug';
import {
  anInstance,
  EC2Error,
  type FakeInstance,
  throttled,
  withInstance,
} from '../../../test/support/ec2/index.ts';
import { type AWSWorld, dualStackConfig, openAWSWorld, untilStill } from './aws.fixture.ts';

const { signal } = new AbortController();

describe('look-ups on AWS', () => {
  let world: AWSWorld;
  beforeEach(async () => {
    world = await openAWSWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const put = (...instances: readonly ReturnType<typeof anInstance>[]): void => {
    for (const one of instances) world.ec2.state = withInstance(world.ec2.state, one);
  };
  const lookUp = async (nodes: readonly NodeRef[]): Promise<readonly LookupAnswer[]> => {
    const answers = await world.provider.lookup(nodes, { maxAgeMs: 0, signal });
    return nodes.map(({ name }) => answers.get(name) ?? assert.fail(`no answer for ${name}`));
  };
  const kindsOf = (answers: readonly LookupAnswer[]): string[] => answers.map(({ kind }) => kind);
  const errorOf = (answer: LookupAnswer | undefined): Error =>
    answer?.kind === 'unknown' ? answer.err : assert.fail(`the answer is ${answer?.kind}`);

  describe('of many nodes', () => {
    it('request 200 instances in a call, and the zones once', async () => {
      const instances = Array.from({ length: 450 }, (_, index) => anInstance(index + 1));
      put(...instances);
      const nodes = instances.map(({ id }) => aNode(id, `aws:///eu-west-1a/${id}`));
      const answers = await lookUp(nodes);
      assert(answers.every(({ kind }) => kind === 'found'));
      const { calls } = world.ec2;
      assert.equal(calls.filter((action) => action === 'DescribeInstances').length, 3);
      await lookUp(nodes.slice(0, 200));
      assert.equal(calls.filter((action) => action === 'DescribeAvailabilityZones').length, 1);
      assert.equal(calls.length, 5);
    });

    it('read every page, however short EC2 makes them', async () => {
      const instances = Array.from({ length: 30 }, (_, index) => anInstance(index + 1));
      put(...instances);
      world.ec2.pageSizeMax = 7;
      const nodes = instances.map(({ privateDnsName }) => aNode(privateDnsName));
      assert((await lookUp(nodes)).every(({ kind }) => kind === 'found'));
    });
  });

  describe('by the name of a node', () => {
    it('find only instances with either tag of the cluster', async () => {
      put(
        anInstance(1),
        anInstance(2, { tags: { KubernetesCluster: 'blue' } }),
        anInstance(3, { tags: { 'kubernetes.io/cluster/green': 'owned' } }),
        anInstance(4, { tags: { KubernetesCluster: 'green' } }),
        anInstance(5, { tags: {} }),
      );
      const names = [1, 2, 3, 4, 5].map((number) => aNode(anInstance(number).privateDnsName));
      const kinds = ['found', 'found', 'unknown', 'unknown', 'unknown'];
      const byName = await lookUp(names);
      assert.deepEqual(kindsOf(byName), kinds);
      const ids = [1, 2, 3, 4, 5].map((number) =>
        aNode(`${anInstance(number).id}.eu-west-1.compute.internal`),
      );
      assert.deepEqual(kindsOf(await lookUp(ids)), kinds);
      const advice =
        'Tag it with kubernetes.io/cluster/blue, or start the kubelet with --provider-id';
      assert.equal(
        errorOf(byName[3]).message,
        `${anInstance(4).id} has the name "${anInstance(4).privateDnsName}" but the tag of cluster green, not of blue. ${advice}`,
      );
      assert.equal(
        errorOf(byName[4]).message,
        `${anInstance(5).id} has the name "${anInstance(5).privateDnsName}" but no tag of a cluster. ${advice}`,
      );
    });

    it('report a name as absent when no instance has it', async () => {
      put(anInstance(1, { tags: {}, state: 'terminated' }));
      const names = [anInstance(1).privateDnsName, anInstance(1).id, anInstance(2).id, 'any'];
      const answers = await lookUp(names.map((name) => aNode(name)));
      assert(answers.every(({ kind }) => kind === 'absent'));
    });

    it('find instances with any tags if the node has a providerID', async () => {
      put(anInstance(1, { tags: {} }));
      assert.deepEqual(kindsOf(await lookUp([aNode('any', anInstance(1).id)])), ['found']);
    });

    it('do not take an instance that EC2 lists twice for two', async () => {
      put(anInstance(1));
      const nodes = [aNode(anInstance(1).privateDnsName), aNode('any', anInstance(1).id)];
      // The first look-up also asks for the zones.
      for (const node of [...nodes, ...nodes]) await lookUp([node]);
      const body = world.ec2.lastAnswer.replace(/<item>.*<\/item>(?=<\/reservationSet>)/s, '$&$&');
      assert.equal(body.split('<reservationId>').length, 3);
      world.ec2.fault = { kind: 'garbage', body };
      assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'found']);
    });

    it('return unknown for a name that two instances have, and name both', async () => {
      const name = 'ip-10-0-0-1.eu-west-1.compute.internal';
      put(anInstance(1), anInstance(2, { privateDnsName: name }));
      const [answer] = await lookUp([aNode(name)]);
      assert.equal(
        errorOf(answer).message,
        `Several instances have the private DNS name "${name}": ${anInstance(1).id} and ${anInstance(2).id}. ` +
          'Start the kubelet with --provider-id, or terminate the one that is not the node',
      );
      put(anInstance(2, { privateDnsName: name, state: 'terminated' }));
      assert.deepEqual(kindsOf(await lookUp([aNode(name)])), ['found']);
    });
  });

  it('are unknown, not absent, for an instance in a zone of another region (P3)', async () => {
    put(anInstance(1));
    put(anInstance(2, { state: 'terminated' }));
    world.ec2.denied.add('DescribeAvailabilityZones');
    const gone = 'i-00000000000000fff';
    const labelled = (zone: string): NodeRef => ({
      ...aNode(`labelled-${zone}`, gone),
      labels: { 'topology.kubernetes.io/zone': zone },
    });
    const cases: readonly (readonly [NodeRef, string])[] = [
      [aNode('here', `aws:///eu-west-1b/${gone}`), 'absent'],
      [aNode('local zone', `aws:///eu-west-1-ham-1a/${gone}`), 'absent'],
      [aNode('region as zone', `aws:///eu-west-1/${gone}`), 'absent'],
      [aNode('there', `aws:///us-east-1a/${gone}`), 'unknown'],
      [labelled('us-gov-west-1a'), 'unknown'],
      [labelled('rack-7'), 'absent'],
      [aNode('moved', `aws:///us-east-1a/${anInstance(1).id}`), 'found'],
      [aNode('terminated', `aws:///us-east-1a/${anInstance(2).id}`), 'absent'],
    ];
    const answers = await lookUp(cases.map(([node]) => node));
    assert.deepEqual(
      kindsOf(answers).map((kind, index) => [cases[index]?.[0].name, kind]),
      cases.map(([{ name }, want]) => [name, want]),
    );
    assert.equal(
      errorOf(answers[3]).message,
      `Region eu-west-1 has no instance "${gone}", and zone "us-east-1a" of the node is in another region. ` +
        'Set Region in --cloud-config to that of the node, or delete the Node',
    );
  });

  it('name the region if it has none of many instances', async () => {
    const nodes = Array.from({ length: 30 }, (_, index) =>
      aNode(`node-${index}`, `aws:///us-east-1a/${anInstance(index + 1).id}`),
    );
    for (const answer of await lookUp(nodes)) {
      assert.match(errorOf(answer).message, /^Region eu-west-1 has no instance "i-\w+", and zone/);
    }
  });

  it('have the age of their calls: what changes in between may be missing', async () => {
    put(anInstance(1));
    const beganMs = world.clock.monotonic();
    const looking = lookUp([aNode('found', anInstance(1).id), aNode('absent', anInstance(2).id)]);
    await world.clock.advance(1_000);
    for (const answer of await looking) {
      assert(answer.kind === 'found' || answer.kind === 'absent');
      assert.equal(answer.asOfMs, beganMs, answer.kind);
    }
  });

  it('report the state of an instance', async () => {
    const cases = [
      { state: 'pending', want: 'pending' },
      { state: 'running', want: 'running' },
      { state: 'stopping', want: 'stopping' },
      { state: 'stopped', want: 'stopped' },
      { state: 'shutting-down', want: 'terminating' },
      { state: 'terminated', want: 'absent' },
    ] as const;
    for (const { state, want } of cases) {
      put(anInstance(1, { state }));
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      assert.equal(answer?.kind === 'found' ? answer.instance.state : answer?.kind, want);
    }
  });

  it('are unknown, not absent, for an instance that EC2 describes without a zone or with a new state (P3)', async () => {
    const newState = 'hibernating' as FakeInstance['state'];
    for (const changes of [{ zone: '' }, { state: newState }]) {
      put(anInstance(1, changes));
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      assert.equal(Reflect.get(errorOf(answer), 'code'), 'AWSInstanceUnreadable');
    }
  });

  it('limit the outage of a zone to the nodes of that zone and nodes without a providerID', async () => {
    const healthy = anInstance(1);
    const dark = anInstance(2, { zone: 'eu-west-1b' });
    put(healthy, dark, anInstance(3));
    const gone = 'i-00000000000000fff';
    world.ec2.zonesDown.add('eu-west-1b');
    const nodes = [
      aNode('healthy', `aws:///eu-west-1a/${healthy.id}`),
      aNode('also-healthy', `aws:///eu-west-1a/${anInstance(3).id}`),
      aNode('gone', `aws:///eu-west-1a/${gone}`),
      aNode('dark', `aws:///eu-west-1b/${dark.id}`),
      aNode('by-name'),
    ];
    const kinds = ['found', 'found', 'absent', 'unknown', 'unknown'];
    assert.deepEqual(kindsOf(await lookUp(nodes)), kinds);
    world.ec2.zoneOutage = 'silence';
    const looking = lookUp(nodes);
    // First both filtered calls get no answer, then the call with the ids of the failed zone.
    for (const callsUnderWay of [2, 1]) {
      await untilStill(world.ec2, callsUnderWay);
      await world.clock.advance(10_000);
    }
    assert.deepEqual(kindsOf(await looking), kinds);
    world.ec2.zonesDown.clear();
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'found', 'absent', 'found', 'absent']);
  });

  it('limit the outage of a zone to its nodes, whatever code a filter gets', async () => {
    const [healthy, dark] = [anInstance(1), anInstance(2, { zone: 'eu-west-1b' })];
    put(healthy, dark);
    world.ec2.zonesDown.add('eu-west-1b');
    const nodes = [healthy, dark].map(({ id, zone }) => aNode(id, `aws:///${zone}/${id}`));
    const error = new EC2Error('ZoneImpaired', 'A zone is impaired.');
    world.ec2.nextFaults.push({ action: 'DescribeInstances', fault: { kind: 'refuse', error } });
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'unknown']);
  });

  it('limit the outage of a zone to its nodes when only their labels name the zone', async () => {
    const [healthy, dark] = [anInstance(1), anInstance(2, { zone: 'eu-west-1b' })];
    put(healthy, dark);
    world.ec2.zonesDown.add('eu-west-1b');
    for (const prefix of ['aws:////', '']) {
      const nodes = [healthy, dark].map(({ id, zone }) => ({
        ...aNode(id, `${prefix}${id}`),
        labels: { 'topology.kubernetes.io/zone': zone },
      }));
      assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'unknown'], prefix);
    }
  });

  it('do not report an instance as absent because a filter finds nothing (P3)', async () => {
    put(anInstance(1), anInstance(2));
    const nodes = [1, 2, 3].map((number) => aNode(`node-${number}`, anInstance(number).id));
    world.ec2.hasEmptyFilters = true;
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'found', 'absent']);
    assert.deepEqual(kindsOf(await lookUp(nodes.slice(0, 1))), ['found']);
    world.ec2.hasEmptyFilters = false;
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'found', 'absent']);
  });

  it('do not report the instance of a name as absent because a filter finds nothing (P3)', async () => {
    put(anInstance(1), anInstance(2));
    const nodes = [1, 3].map((number) => aNode(anInstance(number).privateDnsName));
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'absent']);
    assert.deepEqual(kindsOf(await lookUp(nodes.slice(1))), ['absent']);
    world.ec2.hasEmptyFilters = true;
    const answers = await lookUp(nodes);
    assert.deepEqual(kindsOf(answers), ['unknown', 'unknown']);
    assert.match(
      errorOf(answers[0]).message,
      /^DescribeInstances of EC2 failed: it finds no instance by private-dns-name, not even "ip-10-0-0-1\./,
    );
    world.ec2.hasEmptyFilters = false;
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'absent']);
  });

  it('report any number of instances as absent with a few calls, once EC2 has shown another one', async () => {
    put(anInstance(1));
    const nodes = Array.from({ length: 200 }, (_, index) =>
      aNode(`node-${index}`, `aws:///eu-west-1a/${anInstance(index + 2).id}`),
    );
    assert((await lookUp(nodes)).every(({ kind }) => kind === 'unknown'));
    assert.deepEqual(kindsOf(await lookUp([aNode('other', anInstance(1).id)])), ['found']);
    world.ec2.calls.length = 0;
    assert((await lookUp(nodes)).every(({ kind }) => kind === 'absent'));
    assert.equal(world.ec2.calls.length, 3);
    put(anInstance(2));
    world.ec2.hasEmptyFilters = true;
    assert.equal((await lookUp(nodes.slice(0, 2)))[0]?.kind, 'found');
  });

  it('do not report an instance as absent because another server answers instead of EC2 (P3)', async () => {
    put(anInstance(1), anInstance(2));
    const nodes = [aNode('by-id', anInstance(1).id), aNode(anInstance(2).privateDnsName)];
    for (const body of ['', '<html><body>Sign in</body></html>', 'Sign in', '<a><b>']) {
      world.ec2.fault = { kind: 'garbage', body };
      const answers = await lookUp(nodes);
      assert.deepEqual(kindsOf(answers), ['unknown', 'unknown'], body);
      assert.match(errorOf(answers[0]).message, /^DescribeInstances of EC2 failed: /);
    }
    world.ec2.fault = undefined;
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found', 'found']);
  });

  it('make a limited number of calls by id during an outage of all of EC2', async () => {
    const nodes = Array.from({ length: 200 }, (_, index) =>
      aNode(`node-${index}`, `aws:///eu-west-1a/${anInstance(index + 1).id}`),
    );
    world.ec2.zonesDown.add('eu-west-1b');
    assert((await lookUp(nodes)).every(({ kind }) => kind === 'unknown'));
    assert.equal(world.ec2.calls.length, 16);
  });

  it('pause while EC2 throttles, for a minute if it continues', async () => {
    put(anInstance(1));
    world.ec2.fault = throttled;
    const waits: unknown[] = [];
    for (const waitMs of [0, 5_000, 60_000]) {
      await world.clock.advance(waitMs);
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      const err = errorOf(answer);
      assert.match(err.message, /^EC2 throttles DescribeInstances: RequestLimitExceeded$/);
      waits.push(Reflect.get(err, 'retry'));
    }
    assert.deepEqual(waits, [{ afterMs: 5_000 }, { afterMs: 60_000 }, { afterMs: 60_000 }]);
    world.ec2.fault = undefined;
    assert.deepEqual(kindsOf(await lookUp([aNode('any', anInstance(1).id)])), ['unknown']);
    assert.equal(world.ec2.calls.length, 3);
    await world.clock.advance(60_000);
    assert.deepEqual(kindsOf(await lookUp([aNode('any', anInstance(1).id)])), ['found']);
    const text = await world.metrics.render();
    assert.match(text, /_throttled_requests_total\{operation_name="DescribeInstances"\} 3/);
    assert.match(text, /_request_errors\{request="describe_instance"\} 3/);
    assert.match(text, /_request_duration_seconds_count\{request="describe_instance"\} 1/);
  });

  it('name the code of a refusal, reveal no secret, and recover', async () => {
    put(anInstance(1));
    const nodes = [aNode('any', anInstance(1).id)];
    const refusals = [
      {
        error: new EC2Error(
          'SignatureDoesNotMatch',
          'x-amz-security-token: secret-of-the-test',
          403,
        ),
        want: /^EC2 refuses DescribeInstances: SignatureDoesNotMatch\. Check the credentials/,
      },
      {
        error: new EC2Error('IncompleteSignature', 'Authorization=secret-of-the-test'),
        want: /^EC2 refuses DescribeInstances: IncompleteSignature\. Check the credentials/,
      },
      { error: new EC2Error('RequestExpired', 'Request has expired.'), want: /: RequestExpired\./ },
      { error: new EC2Error('InternalError', 'An error', 500), want: /InternalError: An error/ },
    ];
    for (const { error, want } of refusals) {
      world.ec2.fault = { kind: 'refuse', error };
      const err = errorOf((await lookUp(nodes))[0]);
      assert.match(err.message, want);
      assert.equal(err.cause, undefined);
    }
    world.ec2.fault = undefined;
    world.ec2.denied.add('DescribeInstances');
    const err = errorOf((await lookUp(nodes))[0]);
    assert.match(err.message, /^EC2 refuses DescribeInstances: UnauthorizedOperation\./);
    world.ec2.denied.clear();
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found']);
    assert.doesNotMatch(world.log.join(''), /secret-of-the-test/);
  });

  it('end when their signal aborts while EC2 hangs', async () => {
    world.ec2.fault = { kind: 'hang' };
    const controller = new AbortController();
    const reason = new Error('too late');
    const hanging = world.provider.lookup([aNode('any', anInstance(1).id)], {
      maxAgeMs: 0,
      signal: controller.signal,
    });
    controller.abort(reason);
    await assert.rejects(hanging, reason);
  });

  it('time out a call that EC2 does not answer, and use the answers of other calls', async () => {
    put(anInstance(1));
    const nodes = [aNode('any', anInstance(1).id)];
    const whenHanging = async (actions: readonly string[]): Promise<LookupAnswer | undefined> => {
      const fault = { kind: 'hang' } as const;
      world.ec2.nextFaults.push(...actions.map((action) => ({ action, fault })));
      const looking = lookUp(nodes);
      for (let calls = 0; calls < actions.length; calls++) {
        await untilStill(world.ec2, 1);
        await world.clock.advance(10_000);
      }
      return (await looking)[0];
    };
    assert.equal((await whenHanging(['DescribeAvailabilityZones']))?.kind, 'found');
    // The second call requests the ids of each zone.
    assert.equal((await whenHanging(['DescribeInstances']))?.kind, 'found');
    assert.equal(
      errorOf(await whenHanging(['DescribeInstances', 'DescribeInstances'])).message,
      'DescribeInstances of EC2 got no answer within 10 s',
    );
  });

  it('say that the clock of this machine is wrong', async () => {
    put(anInstance(1));
    world.ec2.aheadMs = 600_000;
    const nodes = [aNode('any', anInstance(1).id)];
    assert.match(
      errorOf((await lookUp(nodes))[0]).message,
      /^EC2 refuses DescribeInstances: RequestExpired\. The clock of this machine is \d+ s behind the clock of EC2/,
    );
    assert.match(world.log.join(''), /"skewMs":-(?:599|600)\d{3},.*Clock differs from the cloud/);
    // The SDK has learnt the time of EC2 by now.
    assert.deepEqual(kindsOf(await lookUp(nodes)), ['found']);
  });

  it('leave out the label of the zone id when EC2 does not name its zones', async () => {
    put(anInstance(1));
    world.ec2.denied.add('DescribeAvailabilityZones');
    const labels = async (): Promise<unknown> => {
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      return answer?.kind === 'found' ? answer.instance.labels : answer?.kind;
    };
    assert.deepEqual(await labels(), {});
    world.ec2.denied.clear();
    assert.deepEqual(await labels(), {});
    await world.clock.advance(60_000);
    assert.deepEqual(await labels(), { 'topology.k8s.aws/zone-id': 'euw1-az1' });
    assert.match(world.log.join(''), /Left out zone id labels/);
  });

  it('wait only once and for one second for zone ids that EC2 does not return', async () => {
    put(anInstance(1));
    const labels = async (): Promise<unknown> => {
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      return answer?.kind === 'found' ? answer.instance.labels : answer?.kind;
    };
    world.ec2.nextFaults.push({ action: 'DescribeAvailabilityZones', fault: { kind: 'hang' } });
    const first = labels();
    await untilStill(world.ec2, 1);
    await world.clock.advance(1_000);
    assert.deepEqual(await first, {});
    assert.deepEqual(await labels(), {});
    assert.equal(world.ec2.underWay, 1, 'EC2 was not waited for');
    await world.clock.advance(9_000);
    await untilStill(world.ec2, 0);
    assert.match(world.log.join(''), /Left out zone id labels/);
    await world.clock.advance(50_000);
    assert.deepEqual(await labels(), { 'topology.k8s.aws/zone-id': 'euw1-az1' });
  });

  it('add labels of network layers to large machines, with one call and only if the labels are missing', async () => {
    const type = 'p5.48xlarge';
    const networkNodes = ['nn-a', 'nn-b', 'nn-c'];
    put(anInstance(1, { type, networkNodes }), anInstance(2, { type }), anInstance(3));
    const layer = 'topology.k8s.aws/network-node-layer-';
    const layers = { [`${layer}1`]: 'nn-a', [`${layer}2`]: 'nn-b', [`${layer}3`]: 'nn-c' };
    const nodes = [1, 2, 3].map((number) => aNode(`node-${number}`, anInstance(number).id));
    const labelsOf = async (refs: readonly NodeRef[]): Promise<unknown[]> =>
      (await lookUp(refs)).map((answer) => {
        assert(answer.kind === 'found');
        const labels = Object.entries(answer.instance.labels);
        return Object.fromEntries(labels.filter(([key]) => key.startsWith(layer)));
      });
    world.ec2.denied.add('DescribeInstanceTopology');
    assert.deepEqual(await labelsOf(nodes), [{}, {}, {}]);
    assert.match(world.log.join(''), /Left out network topology labels/);
    world.ec2.denied.clear();
    await world.clock.advance(60_000);
    for (let times = 0; times < 2; times++) {
      assert.deepEqual(await labelsOf(nodes), [layers, {}, {}]);
    }
    // By then instances without a topology may have one.
    await world.clock.advance(24 * 3_600_000);
    const labelled = nodes.map((node) => ({ ...node, labels: layers }));
    assert.deepEqual(await labelsOf(labelled), [layers, layers, layers]);
    const { calls } = world.ec2;
    assert.equal(calls.filter((action) => action === 'DescribeInstanceTopology').length, 2);
  });

  const topologyCalls = (): number =>
    world.ec2.calls.filter((action) => action === 'DescribeInstanceTopology').length;
  /** Looks up so many large machines with two calls about their layers, and returns the first layer of each. */
  const layersOfLarge = async (count: number): Promise<readonly (string | undefined)[]> => {
    const large = Array.from({ length: count }, (_, index) =>
      anInstance(index + 1, { type: 'p5.48xlarge', networkNodes: [`nn-${index + 1}`] }),
    );
    put(...large);
    const looking = lookUp(large.map(({ id }) => aNode(id, id)));
    await untilStill(world.ec2, 0);
    // EC2 allows one call of this action a second.
    assert.equal(topologyCalls(), 1);
    await world.clock.advance(1_000);
    return (await looking).map((answer) => {
      assert(answer.kind === 'found');
      return answer.instance.labels['topology.k8s.aws/network-node-layer-1'];
    });
  };

  it('add labels of network layers from every page, however short EC2 makes them', async () => {
    world.ec2.pageSizeMax = 2;
    assert.deepEqual(await layersOfLarge(3), ['nn-1', 'nn-2', 'nn-3']);
  });

  it('ask for the network layers of more than 100 large machines in several calls', async () => {
    assert((await layersOfLarge(101)).every((layer) => layer !== undefined));
    assert.equal(topologyCalls(), 2);
  });

  it('wait only once and for two seconds for network layers that EC2 does not return', async () => {
    put(anInstance(1, { type: 'p5.48xlarge', networkNodes: ['nn-a'] }));
    const layer = async (): Promise<unknown> => {
      const [answer] = await lookUp([aNode('any', anInstance(1).id)]);
      assert(answer?.kind === 'found');
      return answer.instance.labels['topology.k8s.aws/network-node-layer-1'];
    };
    world.ec2.nextFaults.push({ action: 'DescribeInstanceTopology', fault: { kind: 'hang' } });
    const first = layer();
    await untilStill(world.ec2, 1);
    await world.clock.advance(2_000);
    assert.equal(await first, undefined);
    assert.equal(await layer(), undefined);
    assert.equal(world.ec2.underWay, 1, 'EC2 was not waited for');
    await world.clock.advance(8_000);
    await untilStill(world.ec2, 0);
    assert.match(world.log.join(''), /Left out network topology labels/);
    await world.clock.advance(50_000);
    assert.equal(await layer(), 'nn-a');
  });

  it('log once which labels are missing, not with every look-up', async () => {
    put(anInstance(1, { type: 'p5.48xlarge', networkNodes: ['nn-a'] }));
    const lefts = (): string[] =>
      world.log.flatMap((line) => /"msg":"(Left out [^"]+)"/.exec(line)?.[1] ?? []);
    world.ec2.denied.add('DescribeAvailabilityZones').add('DescribeInstanceTopology');
    for (let minute = 0; minute < 3; minute++) {
      await lookUp([aNode('any', anInstance(1).id)]);
      await world.clock.advance(60_000);
    }
    const once = [
      'Left out zone id labels because EC2 did not name its zones',
      'Left out network topology labels that EC2 did not give',
    ];
    assert.deepEqual(lefts(), once);
    world.ec2.denied.clear();
    await lookUp([aNode('any', anInstance(1).id)]);
    assert.deepEqual(lefts(), once);
  });

  it('list the families in the order of the configuration', async () => {
    const config = dualStackConfig.replace('= ipv4\n', '= ipv6\n').replace(/= ipv6\n$/, '= ipv4\n');
    await using other = await openAWSWorld(config);
    other.ec2.state = withInstance(other.ec2.state, anInstance(1));
    const node = aNode('any', anInstance(1).id);
    const answer = (await other.provider.lookup([node], { maxAgeMs: 0, signal })).get('any');
    assert(answer?.kind === 'found');
    assert.deepEqual(
      answer.instance.addresses.slice(0, 2).map(({ address }) => address),
      ['2001:db8::1', '10.0.0.1'],
    );
  });
});

function aNode(name: string, providerID = ''): NodeRef {
  return { name, uid: `uid of ${name}`, providerID, labels: {}, systemUUID: '' };
}
