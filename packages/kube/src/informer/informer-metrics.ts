/**
 * The metrics of informers. All informers of a process share them; the label `resource` distinguishes
 * them.
 */
import type { Metrics } from '@tandem/runtime';
import type { Applied } from './mirror.ts';
import type { Ending } from './step.ts';

export const informerMetricTable = {
  listsTotal: {
    name: 'tandem_informer_lists_total',
    help: 'Complete lists that replaced the cache, including the first one.',
    stability: 'ALPHA',
    labels: ['resource'],
  },
  endingsTotal: {
    name: 'tandem_informer_endings_total',
    help: 'Lists and watches that ended, by ending. The endings "listed" and "closed" are normal.',
    stability: 'ALPHA',
    labels: ['resource', 'ending'],
  },
  eventsTotal: {
    name: 'tandem_informer_events_total',
    help: 'Watch events, by whether they changed the cache. Heartbeats change nothing.',
    stability: 'ALPHA',
    labels: ['resource', 'effect'],
  },
  decodeErrorsTotal: {
    name: 'tandem_informer_decode_errors_total',
    help: 'Responses and events that could not be decoded. The informer lists again after each one.',
    stability: 'ALPHA',
    labels: ['resource'],
  },
  objectCount: {
    name: 'tandem_informer_objects',
    help: 'Objects in the cache.',
    stability: 'ALPHA',
    labels: ['resource'],
  },
  lastProgressSeconds: {
    name: 'tandem_informer_last_progress_timestamp_seconds',
    help: 'Time of the last list, event or bookmark from the API server.',
    stability: 'ALPHA',
    labels: ['resource'],
  },
} as const;

export interface InformerMetrics {
  listed(): void;
  ended(ending: Ending): void;
  sawEvent(effect: Applied): void;
  progressed(progress: { objects: number; nowMs: number }): void;
}

export function informerMetrics(metrics: Metrics, resource: string): InformerMetrics {
  const lists = metrics.counter(informerMetricTable.listsTotal);
  const endings = metrics.counter(informerMetricTable.endingsTotal);
  const events = metrics.counter(informerMetricTable.eventsTotal);
  const decodeErrors = metrics.counter(informerMetricTable.decodeErrorsTotal);
  const objectGauge = metrics.gauge(informerMetricTable.objectCount);
  const progressGauge = metrics.gauge(informerMetricTable.lastProgressSeconds);
  return {
    listed: () => lists.inc({ resource }),
    ended(ending) {
      endings.inc({ resource, ending });
      if (ending === 'undecodable') decodeErrors.inc({ resource });
    },
    sawEvent: (effect) => events.inc({ resource, effect }),
    progressed({ objects, nowMs }) {
      objectGauge.set({ resource }, objects);
      progressGauge.set({ resource }, nowMs / 1000);
    },
  };
}
