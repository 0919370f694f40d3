export { catchUp, type CatchUpPorts } from './catch-up.ts';
export { Informer, type InformerFacts } from './informer.ts';
export { informerMetricTable } from './informer-metrics.ts';
export { type InformerLimits } from './limits.ts';
export { reuseParts } from './mirror.ts';
export { type Change } from './subscribers.ts';
