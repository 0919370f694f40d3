/** A recorder in virtual time, with an in-memory API for events. */
import { createLogger, createMetrics } from '@tandem/runtime';
import { seededRandom, virtualClock, type VirtualClock } from '@tandem/runtime/testing';
import { type NewEvent, nodeReference } from './event.ts';
import { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
import { EventsApi } from './events-api.fixture.ts';

export interface TestRecorder {
  readonly api: EventsApi;
  readonly clock: VirtualClock;
  readonly recorder: EventRecorder;
  /** Messages at warn and above. */
  readonly log: string[];
  /** Values of the recorder's own metrics, by name and labels. */
  readonly figures: () => Promise<Record<string, number>>;
}

export function aRecorder(options: Partial<EventRecorderOptions> = {}): TestRecorder {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
  const metrics = createMetrics();
  const log: string[] = [];
  const write = (line: string): void => void log.push(JSON.parse(line).msg);
  const logger = createLogger({ clock, level: 'warn', destination: { write } });
  const api = new EventsApi();
  const recorder = new EventRecorder({
    client: api,
    clock,
    random: seededRandom('events'),
    metrics,
    logger,
    reportingInstance: 'manager-0_1234',
    ...options,
  });
  const figures = async (): Promise<Record<string, number>> => {
    const lines = (await metrics.render()).split('\n').filter((line) => line.startsWith('tandem_'));
    return Object.fromEntries(
      lines.map((line) => {
        const [name = '', value = ''] = line.split(' ');
        return [name.replace(/^tandem_events_/, ''), Number(value)];
      }),
    );
  };
  return { api, clock, recorder, log, figures };
}

export function anEvent(over: Partial<NewEvent> = {}): NewEvent {
  return {
    regarding: nodeReference({ name: 'node-0', uid: 'uid-0' }),
    type: 'Normal',
    reason: 'Synced',
    action: 'Initialise',
    note: 'Node synced successfully',
    reportingController: 'cloud-node-controller',
    ...over,
  };
}

export function aRefusal(over: Partial<NewEvent> = {}): NewEvent & { readonly matter: string } {
  const refused = {
    type: 'Warning',
    reason: 'AddressNotFound',
    note: 'The cloud has no such address',
  };
  return { ...anEvent(), ...refused, type: 'Warning', ...over, matter: 'node-ip' };
}
