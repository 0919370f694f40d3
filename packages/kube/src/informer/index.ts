export { catchUp, type CatchUpPorts } from './catch-up.ts';
export { Informer, type InformerFacts, type InformerOptions } from './informer.ts';
export {
  createInformerMetrics,
  decodeErrorsTotal,
  endingsTotal,
  eventsTotal,
  type InformerMetrics,
  lastProgressSeconds,
  listsTotal,
  objectCount,
} from './informer-metrics.ts';
export { type InformerLimits, informerLimits } from './limits.ts';
export { type Change, type Subscriber, SubscriberFailedError } from './subscribers.ts';
