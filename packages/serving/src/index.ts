export { type ReviewAccess, type ServingOptions, servingProblems } from './assemble.ts';
export { createServing, type Serving } from './create-serving.ts';
export { localFiles, type ServingFiles } from './files.ts';
export { healthcheck, healthchecksTotal } from './page/health-log.ts';
export type {
  HealthCheck,
  HealthOutcome,
  ListAnswer,
  ListPage,
  Pages,
  StatusFacts,
  StatusRow,
  StatusSection,
} from './pages.ts';
export { ServingError, type ServingErrorCode } from './serving-error.ts';
export { servingMetricDeclarations } from './serving-metrics.ts';
export type {
  AuthenticationSettings,
  AuthorizationSettings,
  CertificateSource,
  RequestHeaderSettings,
  ServingSettings,
  SniCertificate,
  TlsMinVersion,
  TlsSettings,
} from './serving-settings.ts';
