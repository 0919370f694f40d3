export { processMetricDeclarations, ProcessMetrics } from './process-metrics.ts';
