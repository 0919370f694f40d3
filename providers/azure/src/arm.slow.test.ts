/** Tests how a call affects the requests that the SDK sends for it. */
import assert from 'node:assert/strict';
import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline';
import { afterTurn, type Clock, createLogger, createMetrics } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { Arm } from './arm.ts';
import { azureMetrics } from './azure-metrics.ts';
import { turn } from './azure.fixture.ts';

describe('a call to Azure', () => {
  it('aborts all its requests at its deadline, including those for later pages', async () => {
    const clock = virtualClock();
    const arm = createArm(clock);
    const ended: (string | undefined)[] = [];
    const send = async (page: string): Promise<void> => {
      // The SDK sends a page like this, without a signal.
      const request = createPipelineRequest({ url: `https://management.azure.com/${page}` });
      await arm.policy.sendRequest(request, async (sent) => {
        sent.abortSignal?.addEventListener('abort', () => ended.push(page));
        return { request: sent, status: 200, headers: createHttpHeaders() };
      });
    };
    const hanging = arm.call(call, async () => {
      for (const page of ['first', 'second']) await send(page);
      return new Promise<never>(() => {});
    });
    const failed = assert.rejects(hanging, { code: 'AzureCallFailed', effect: 'none' });
    for (let turns = 0; turns < 5; turns++) await turn();
    await clock.advance(30_000);
    await failed;
    assert.deepEqual(ended, ['first', 'second']);
  });

  it('passes its response to the SDK in its own turn, even when many arrive together', async () => {
    const arm = createArm(virtualClock());
    const seen = { turn: 0, hasEnded: false };
    const count = (): void => {
      seen.turn++;
      if (!seen.hasEnded) afterTurn(count);
    };
    count();
    const parsedIn = await Promise.all(
      Array.from({ length: 10 }, () =>
        arm.call(call, async () => {
          const request = createPipelineRequest({ url: 'https://management.azure.com/' });
          await arm.policy.sendRequest(request, async (sent) => ({
            request: sent,
            status: 200,
            headers: createHttpHeaders(),
          }));
          return seen.turn;
        }),
      ),
    );
    seen.hasEnded = true;
    assert.equal(new Set(parsedIn).size, 10, parsedIn.join(', '));
  });
});

const { signal } = new AbortController();
const scope = { subscriptionId: 's', resourceGroup: 'blue', signal };
const call = { type: 'machines', request: 'vm_list', what: 'list machines', ...scope };

function createArm(clock: Clock): Arm {
  const rate = { callsPerSecond: 1, burst: 10 };
  return new Arm({
    clock,
    logger: createLogger({ clock, destination: { write: () => {} } }),
    metrics: azureMetrics(createMetrics()),
    rates: { reads: rate, writes: rate },
    onTokenRefused: () => {},
  });
}
