import assert from 'node:assert/strict';
import type { Worker } from 'node:worker_threads';
import { afterTurn } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import {
  anInstance,
  anInterface,
  aTable,
  FakeEC2,
  withInstance,
  withTable,
} from '../../../../test/support/ec2/index.ts';
import type { AWSError } from '../failure.ts';
import { connect } from './connection.ts';
import type { ClientOptions } from './ec2-client.ts';
import type { EC2Refusal } from './refusal.ts';
import { SDKThread } from './sdk-thread.ts';

describe('the thread of the SDK', function () {
  this.timeout(20_000);

  let ec2: FakeEC2;
  let thread: SDKThread;
  let worker: Worker;
  let dates: string[];
  const { signal } = new AbortController();
  const options = { signal };

  beforeEach(async () => {
    ec2 = await FakeEC2.start();
    dates = [];
    process.once('worker', (started) => (worker = started));
    thread = await SDKThread.open(optionsFor(ec2.url), (date) => void dates.push(date));
  });

  afterEach(async () => {
    await thread.close();
    await ec2.close();
  });

  it('returns the same as the SDK in the thread of its caller', async () => {
    const prefixes = { ipv4Prefixes: ['10.0.1.16/28'], ipv6Prefixes: ['fd00:1::/80'] };
    const interfaces = [anInterface(1, prefixes)];
    const known = { publicIp: '192.0.2.1', publicDnsName: 'public.example' };
    ec2.state = withInstance(ec2.state, anInstance(1, { interfaces, ...known }));
    ec2.state = withTable(ec2.state, aTable(1));
    const here = connect(optionsFor(ec2.url), virtualClock(), () => {});
    const { list: instances = [] } = await thread.call('DescribeInstances', {}, options);
    assert.equal(instances[0]?.InstanceId, anInstance(1).id);
    assertComplete(instances);
    assert.deepEqual(instances, (await here.call('DescribeInstances', {}, options)).list);
    const { list: tables = [] } = await thread.call('DescribeRouteTables', {}, options);
    assert.equal(tables[0]?.RouteTableId, aTable(1).id);
    assert.deepEqual(tables, (await here.call('DescribeRouteTables', {}, options)).list);
    const zones = await thread.call('DescribeAvailabilityZones', {}, options);
    assert.ok(zones !== undefined && zones.length > 0);
    assert.deepEqual(zones, await here.call('DescribeAvailabilityZones', {}, options));
    await here.close();
  });

  it('passes on the code and the status of a refusal, and the dates of all answers', async () => {
    const input = { InstanceIds: ['i-00000000000000fff'] };
    await assert.rejects(thread.call('DescribeInstances', input, options), (err: EC2Refusal) => {
      assert.deepEqual([err.ec2Code, err.httpStatus], ['InvalidInstanceID.NotFound', 400]);
      return true;
    });
    assert.equal(dates.length, 1);
  });

  it('ends a call that its caller aborted', async () => {
    ec2.fault = { kind: 'hang' };
    const controller = new AbortController();
    const calling = thread.call('DescribeInstances', {}, controller);
    await until(() => ec2.underWay === 1);
    const reason = new Error('The caller gave up');
    controller.abort(reason);
    await assert.rejects(calling, reason);
    await until(() => ec2.underWay === 0);
    await assert.rejects(thread.call('DescribeInstances', {}, controller), reason);
  });

  it('does not send a write that its caller aborted while the thread was busy', async () => {
    for (let number = 1; number <= 2_000; number++) {
      ec2.state = withInstance(ec2.state, anInstance(number));
    }
    ec2.pageSizeMax = 2_000;
    const write = { RouteTableId: aTable(1).id, DestinationCidrBlock: '10.0.0.0/24' };
    const reading = thread.call('DescribeInstances', {}, options);
    await until(() => ec2.calls.length === 1 && ec2.underWay === 0);
    // The thread parses the answer now, and has open connections.
    for (let count = 0; count < 5; count++) {
      const controller = new AbortController();
      const calling = thread.call('CreateRoute', write, controller);
      const reason = new Error('The Lease is lost');
      controller.abort(reason);
      await assert.rejects(calling, reason);
    }
    assert.equal((await reading).list?.length, 2_000);
    await thread.call('DescribeAvailabilityZones', {}, options);
    assert.deepEqual(ec2.calls, ['DescribeInstances', 'DescribeAvailabilityZones']);
  });

  it('sends nothing once it is closed', async () => {
    await thread.close();
    await assert.rejects(thread.call('DescribeInstances', {}, options), { ec2Code: 'ThreadEnded' });
    assert.deepEqual(ec2.calls, []);
  });

  it('fails pending calls as unanswered when the thread ends, and starts another thread', async () => {
    ec2.fault = { kind: 'hang' };
    const calling = thread.call('DescribeInstances', {}, options);
    await until(() => ec2.underWay === 1);
    const failing = assert.rejects(calling, (err: EC2Refusal) => {
      assert.deepEqual([err.ec2Code, err.httpStatus], ['ThreadEnded', undefined]);
      return true;
    });
    await worker.terminate();
    await failing;
    ec2.fault = undefined;
    assert.deepEqual((await thread.call('DescribeInstances', {}, options)).list, []);
  });

  it('is replaced for the call that follows its end', async () => {
    ec2.fault = { kind: 'hang' };
    const calling = thread.call('DescribeInstances', {}, options);
    await until(() => ec2.underWay === 1);
    const ended = worker.terminate();
    await assert.rejects(calling, { ec2Code: 'ThreadEnded' });
    ec2.fault = undefined;
    assert.deepEqual((await thread.call('DescribeInstances', {}, options)).list, []);
    await ended;
  });

  it('does not open with settings that the SDK cannot use', async () => {
    const open = (variables: Readonly<Record<string, string>>): Promise<SDKThread> => {
      const client = optionsFor(ec2.url);
      const environment = { ...client.environment, ...variables };
      return SDKThread.open({ ...client, environment }, () => {});
    };
    for (const name of ['AWS_ENDPOINT_URL_EC2', 'HTTPS_PROXY']) {
      await assert.rejects(open({ [name]: '://' }), (err: AWSError) => {
        assert.deepEqual([err.code, err.retry], ['AWSConfigInvalid', 'never']);
        assert.match(err.message, new RegExp(`^${name} is not `));
        return true;
      });
    }
  });
});

/** The fake has everything that Tandem reads. */
function assertComplete(value: unknown): void {
  JSON.stringify(value, (key, field: unknown) => {
    assert.notEqual(field, undefined, `${key} is missing`);
    return field;
  });
}

function optionsFor(url: string): ClientOptions {
  return {
    region: 'eu-west-1',
    override: undefined,
    roleARN: undefined,
    sourceARN: undefined,
    environment: {
      AWS_ENDPOINT_URL_EC2: url,
      AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-test',
    },
  };
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise<void>(afterTurn);
}
