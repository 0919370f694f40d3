export { type NewEvent, nodeReference, type SustainedEvent } from './event.ts';
export { eventMetricTable } from './event-metrics.ts';
export { EventRecorder, type EventRecorderOptions } from './event-recorder.ts';
