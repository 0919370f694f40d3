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

  it('reads what the SDK reads in the thread of its caller', async () => {
    const interfaces = [anInterface(1, { ipv6: ['fd00::1'], ipv6Prefixes: ['fd00:1::/80'] })];
    ec2.state = withInstance(ec2.state, anInstance(1, { interfaces }));
    ec2.state = withTable(ec2.state, aTable(1));
    const here = connect(optionsFor(ec2.url), virtualClock(), () => {});
    const { list: instances = [] } = await thread.call('DescribeInstances', {}, signal);
    assert.equal(instances[0]?.InstanceId, anInstance(1).id);
    assert.deepEqual(instances, (await here.call('DescribeInstances', {}, signal)).list);
    const { list: tables = [] } = await thread.call('DescribeRouteTables', {}, signal);
    assert.equal(tables[0]?.RouteTableId, aTable(1).id);
    assert.deepEqual(tables, (await here.call('DescribeRouteTables', {}, signal)).list);
    const zones = await thread.call('DescribeAvailabilityZones', {}, signal);
    assert.ok(zones !== undefined && zones.length > 0);
    assert.deepEqual(zones, await here.call('DescribeAvailabilityZones', {}, signal));
    await here.close();
  });

  it('passes on the code and the status of a refusal, and dates of all answers', async () => {
    const input = { InstanceIds: ['i-00000000000000fff'] };
    await assert.rejects(thread.call('DescribeInstances', input, signal), (err: EC2Refusal) => {
      assert.deepEqual([err.ec2Code, err.httpStatus], ['InvalidInstanceID.NotFound', 400]);
      return true;
    });
    assert.equal(dates.length, 1);
  });

  it('ends a call whose caller no longer waits', async () => {
    ec2.fault = { kind: 'hang' };
    const controller = new AbortController();
    const calling = thread.call('DescribeInstances', {}, controller.signal);
    await until(() => ec2.underWay === 1);
    const reason = new Error('The caller gave up');
    controller.abort(reason);
    await assert.rejects(calling, reason);
    await until(() => ec2.underWay === 0);
    await assert.rejects(thread.call('DescribeInstances', {}, controller.signal), reason);
  });

  it('fails the calls of a thread that ends as unanswered, and starts another one', async () => {
    ec2.fault = { kind: 'hang' };
    const calling = thread.call('DescribeInstances', {}, signal);
    await until(() => ec2.underWay === 1);
    const failing = assert.rejects(calling, (err: EC2Refusal) => {
      assert.deepEqual([err.ec2Code, err.httpStatus], ['ThreadEnded', undefined]);
      return true;
    });
    await worker.terminate();
    await failing;
    ec2.fault = undefined;
    assert.deepEqual((await thread.call('DescribeInstances', {}, signal)).list, []);
  });

  it('is not opened with settings that the SDK cannot use', async () => {
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
