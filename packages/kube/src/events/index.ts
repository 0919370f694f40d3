export { type NewEvent, nodeReference, type SustainedEvent } from './event.ts';
export { eventsDroppedTotal, eventsFailedTotal, eventsSentTotal } from './event-metrics.ts';
export { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
