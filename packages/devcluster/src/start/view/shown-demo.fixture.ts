/** A demo in virtual time with a view of it, as in `npm start`. */
import assert from 'node:assert/strict';
import { virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { kepMachines, type Machine, oddMachines } from '../machines/index.ts';
import { readOptions } from '../options/index.ts';
import { observeDemo, type ObservedDemo } from '../observed-demo.ts';
import type { LiveView } from './live-view.ts';
import type { PlainView } from './plain-view.ts';

export interface ShownDemo {
  readonly clock: VirtualClock;
  readonly observed: ObservedDemo;
  readonly stop: () => Promise<void>;
}

interface ViewParts extends ObservedDemo {
  readonly clock: VirtualClock;
  readonly kubeconfig: string;
}

/** Some nodes of the KEP, and all that fail in other ways. */
export const fewMachines: readonly Machine[] = [...kepMachines.slice(0, 6), ...oddMachines];

/** Starts the demo. Time passes only when the test advances the clock. */
export function showDemo(
  createView: (parts: ViewParts) => LiveView | PlainView,
  machines: readonly Machine[] = fewMachines,
): ShownDemo {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const command = readOptions([]);
  assert.ok(command.kind === 'live');
  const observed = observeDemo(
    command.settings,
    { clock, userEdits: 'possible', log: undefined },
    machines,
  );
  const view = createView({ ...observed, clock, kubeconfig: '/tmp/k' });
  const stopping = new AbortController();
  view.open();
  const run = observed.demo.run(stopping.signal);
  void observed.progress.whenConverged(stopping.signal).then((tookMs) => view.converged(tookMs));
  const stop = async (): Promise<void> => {
    view.close();
    stopping.abort(new Error('enough'));
    await clock.advance(20_000);
    await run;
    assert.equal(clock.pending, 0);
  };
  return { clock, observed, stop };
}

/** Asks the API server of the demo as kubectl would. */
export async function send(
  { demo }: ObservedDemo,
  method: 'PATCH' | 'DELETE',
  name: string,
  body?: object,
): Promise<void> {
  const response = demo.cluster.connect({ latencyMs: 0 }).send({
    method,
    path: `/api/v1/nodes/${name}`,
    headers: { 'content-type': 'application/merge-patch+json', accept: 'application/json' },
    signal: new AbortController().signal,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  assert.equal((await response).status, 200);
}
