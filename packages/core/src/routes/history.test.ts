import assert from 'node:assert/strict';
import { noRouteHistory, type RouteAttempt, withAttempts, withVerdict } from './history.ts';

const after = (...attempts: readonly RouteAttempt[]) =>
  withAttempts(noRouteHistory, { attempts, endedAtMs: 7 });

describe('the history of a node’s routes', () => {
  it('counts a round with failures once, however many routes failed', () => {
    assert.deepEqual(after('failed', 'failed', 'applied'), {
      lastWriteMs: 7,
      refusals: 0,
      failures: 1,
    });
  });

  it('counts refusals and failures separately', () => {
    assert.deepEqual(after('refused', 'failed'), { lastWriteMs: 7, refusals: 1, failures: 1 });
  });

  it('does not forget a failure because another route was created', () => {
    const history = withAttempts(after('failed'), { attempts: ['applied'], endedAtMs: 9 });
    assert.deepEqual(history, { lastWriteMs: 9, refusals: 0, failures: 1 });
  });

  it('does not change after a round in which nothing was sent for the node', () => {
    assert.equal(after(), noRouteHistory);
  });

  it('is reset when every route is there, except for the time of the last write', () => {
    assert.deepEqual(withVerdict(after('refused', 'failed'), { kind: 'available' }), {
      ...noRouteHistory,
      lastWriteMs: 7,
    });
  });

  it('counts a blocked route as a failure, but not a route that is only missing', () => {
    const verdict = { kind: 'unavailable', missing: ['no route'] } as const;
    assert.equal(withVerdict(after('failed'), { ...verdict, isBlocked: true }).failures, 2);
    assert.equal(withVerdict(after('failed'), { ...verdict, isBlocked: false }).failures, 1);
    assert.equal(withVerdict(after('failed'), { kind: 'noPodCIDRs' }).failures, 1);
  });
});
