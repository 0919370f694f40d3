/** The metrics of the event recorder. */
export const eventMetricTable = {
  eventsSentTotal: {
    name: 'tandem_events_sent_total',
    help: 'Events written to the API server, by whether the write created an event or continued one.',
    stability: 'ALPHA',
    labels: ['operation'],
  },
  eventsDroppedTotal: {
    name: 'tandem_events_dropped_total',
    help: 'Events that were never sent, by reason: queue_full, rate_limited or stopped.',
    stability: 'ALPHA',
    labels: ['reason'],
  },
  eventsFailedTotal: {
    name: 'tandem_events_failed_total',
    help: 'Events that were lost because the API server refused them or was unreachable.',
    stability: 'ALPHA',
    labels: [],
  },
} as const;
