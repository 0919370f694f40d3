import assert from 'node:assert/strict';
import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { afterTurn } from '@tandem/runtime';
import { anInstance, FakeEC2, withInstance } from '../../../test/support/ec2/index.ts';
import { createClient } from './ec2-client.ts';

describe('answers of EC2', () => {
  it('are parsed one in a turn of the event loop, however many arrive together', async () => {
    const ec2 = await FakeEC2.start();
    for (let number = 1; number <= 20; number++) {
      ec2.state = withInstance(ec2.state, anInstance(number));
    }
    const client = createClient({
      region: 'eu-west-1',
      override: undefined,
      roleARN: undefined,
      sourceARN: undefined,
      environment: {
        AWS_ENDPOINT_URL_EC2: ec2.url,
        AWS_ACCESS_KEY_ID: ec2.accessKeyId,
        AWS_SECRET_ACCESS_KEY: 'secret-of-the-test',
      },
    });
    const turns = { count: 0, hasEnded: false };
    const countTurns = (): void => {
      turns.count++;
      if (!turns.hasEnded) afterTurn(countTurns);
    };
    countTurns();
    const turnsOfAnswers = (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const { Reservations } = await client.send(new DescribeInstancesCommand({}));
          assert.equal(Reservations?.length, 20);
          return turns.count;
        }),
      );
    // The second time, there are connections already: all of it arrives together.
    await turnsOfAnswers();
    const parsedIn = await turnsOfAnswers();
    turns.hasEnded = true;
    client.destroy();
    await ec2.close();
    assert.equal(new Set(parsedIn).size, parsedIn.length, parsedIn.join(', '));
  });
});
