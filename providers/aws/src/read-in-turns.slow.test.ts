import assert from 'node:assert/strict';
import { DescribeInstancesCommand, type EC2Client } from '@aws-sdk/client-ec2';
import { afterTurn } from '@tandem/runtime';
import { anInstance, FakeEC2, withInstance } from '../../../test/support/ec2/index.ts';
import { createClient } from './ec2-client.ts';

describe('answers of EC2', () => {
  it('are parsed one in a turn of the event loop, however many arrive together', async () => {
    await using scene = await openScene();
    const { client } = scene;
    const turnsOfAnswers = (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 20 }, async () => {
          const { Reservations } = await client.send(new DescribeInstancesCommand({}));
          assert.equal(Reservations?.length, 20);
          return scene.turn();
        }),
      );
    // The second time, there are connections already: all of it arrives together.
    await turnsOfAnswers();
    const parsedIn = await turnsOfAnswers();
    assert.equal(new Set(parsedIn).size, parsedIn.length, parsedIn.join(', '));
  });

  it('are used in another turn than the one in which they are parsed', async () => {
    await using scene = await openScene();
    const { client } = scene;
    let parsedIn: number | undefined;
    client.middlewareStack.add(
      (next) => async (request) => {
        const result = await next(request);
        parsedIn = scene.turn();
        return result;
      },
      // Outside of the parser.
      { step: 'serialize', priority: 'high', name: 'noteTurn' },
    );
    const { Reservations } = await client.send(new DescribeInstancesCommand({}));
    assert.equal(Reservations?.length, 20);
    assert.ok(parsedIn !== undefined && scene.turn() > parsedIn, `parsed in turn ${parsedIn}`);
  });
});

interface Scene extends AsyncDisposable {
  readonly client: EC2Client;
  /** The number of the turn that the event loop is in. */
  turn(): number;
}

/** EC2 with 20 instances. */
async function openScene(): Promise<Scene> {
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
  return {
    client,
    turn: () => turns.count,
    async [Symbol.asyncDispose]() {
      turns.hasEnded = true;
      client.destroy();
      await ec2.close();
    },
  };
}
