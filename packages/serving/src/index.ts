export type { ServingOptions } from './assemble.ts';
export { createServing } from './create-serving.ts';
export { localFiles } from './files.ts';
export { readServing, secureServingFlags, servingFlags } from './flags/index.ts';
export { healthcheck, healthchecksTotal } from './page/health-log.ts';
export { openServing, type Reviewers } from './open-serving.ts';
export type {
  HealthCheck,
  HealthOutcome,
  ListAnswer,
  ListPage,
  Pages,
  StatusRow,
  StatusSection,
} from './pages.ts';
export { ServingError } from './serving-error.ts';
export { servingMetricTable } from './serving-metrics.ts';
export type { AuthenticationSettings, ServingSettings } from './serving-settings.ts';
