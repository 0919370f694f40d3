import assert from 'node:assert/strict';
import type { Forecast } from './forecast.ts';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { type Missing, OneLook } from './one-look.ts';

const pending = (node: string): Forecast => ({ kind: 'pending', node });
const decided = (node: string): Forecast => ({ kind: 'decided', node, actions: [] });

const missing = (): Missing => ({ what: 'the list of nodes', reason: undefined });

function aLook() {
  const clock = virtualClock();
  const log: Record<string, unknown>[] = [];
  const write = (line: string): void => void log.push(JSON.parse(line));
  const logger = createLogger({ clock, level: 'info', destination: { write } });
  return { clock, log, look: new OneLook({ clock, logger }), stop: new AbortController() };
}

describe('one look of a dry run', () => {
  it('is over once no forecast is pending', async () => {
    const { clock, look, stop } = aLook();
    let forecasts: readonly Forecast[] | undefined;
    const following = look.follow({ forecasts: () => forecasts, missing }, stop.signal);
    await clock.advance(1_000);
    forecasts = [decided('a'), pending('b')];
    await clock.advance(1_000);
    assert.ok(!look.over.aborted);
    forecasts = [decided('a'), { kind: 'unknown', node: 'b' }];
    await clock.advance(1_000);
    assert.ok(look.over.aborted);
    await following;
    assert.equal(look.forecasts, forecasts);
    assert.equal(clock.pending, 0);
  });

  it('logs every ten seconds what it waits for', async () => {
    const { clock, log, look, stop } = aLook();
    let waitsFor: Missing = {
      what: 'the list of nodes',
      reason: 'the API server does not accept its credentials (401)',
    };
    const seen: { forecasts?: readonly Forecast[] } = {};
    const following = look.follow(
      { forecasts: () => seen.forecasts, missing: () => waitsFor },
      stop.signal,
    );
    await clock.advance(11_000);
    assert.equal(look.missing, waitsFor);
    waitsFor = { what: 'the cloud provider', reason: undefined };
    await clock.advance(10_000);
    seen.forecasts = [
      decided('a'),
      ...Array.from({ length: 7 }, (_, index) => pending(`n${index}`)),
    ];
    await clock.advance(10_000);
    assert.deepEqual(
      log.map(({ msg, pending: count, among, reason }) => [msg, count ?? reason, among]),
      [
        [
          'Dry run: waiting for the list of nodes',
          'the API server does not accept its credentials (401)',
          undefined,
        ],
        ['Dry run: waiting for the cloud provider', undefined, undefined],
        ['Dry run: waiting for answers about nodes', 7, 'n0, n1, n2, n3, n4'],
      ],
    );
    assert.equal(look.missing, undefined);
    stop.abort();
    await following;
  });

  it('waits for the list of routes, and logs that', async () => {
    const { clock, log, look, stop } = aLook();
    const routes = (answer: 'pending' | 'listed'): Forecast => ({
      kind: 'routes',
      answer,
      changes: [],
    });
    let forecasts = [decided('a'), routes('pending')];
    const following = look.follow({ forecasts: () => forecasts, missing }, stop.signal);
    await clock.advance(11_000);
    assert.ok(!look.over.aborted);
    assert.deepEqual(
      log.map(({ msg }) => msg),
      ['Dry run: waiting for the list of routes'],
    );
    forecasts = [decided('a'), routes('listed')];
    await clock.advance(1_000);
    assert.ok(look.over.aborted);
    await following;
  });

  it('ends with the forecasts so far when its signal aborts', async () => {
    const { clock, look, stop } = aLook();
    const forecasts = [decided('a'), pending('b')];
    const following = look.follow({ forecasts: () => forecasts, missing }, stop.signal);
    await clock.advance(1_000);
    stop.abort();
    await following;
    assert.ok(!look.over.aborted);
    assert.equal(look.forecasts, forecasts);
  });
});
