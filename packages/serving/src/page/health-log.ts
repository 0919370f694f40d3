/**
 * Reports health beyond its pages: a log line when a check begins to fail, with the reason, and another when it passes
 * again; and the metrics of `/metrics/slis`, which have a registry of their own, as upstream's do.
 */
import { createMetrics, type Logger, type MetricDeclaration } from '@tandem/runtime';
import type { HealthOutcome } from '../pages.ts';

export const healthcheck: MetricDeclaration<'name' | 'type'> = {
  name: 'kubernetes_healthcheck',
  help: 'Last result of a health check: 1 if it passed, 0 if it failed.',
  stability: 'STABLE',
  labels: ['name', 'type'],
};

export const healthchecksTotal: MetricDeclaration<'name' | 'type' | 'status'> = {
  name: 'kubernetes_healthchecks_total',
  help: 'Health checks, by result.',
  stability: 'STABLE',
  labels: ['name', 'type', 'status'],
};

export interface HealthLog {
  observe(page: string, name: string, outcome: HealthOutcome): void;
  /** The text of `/metrics/slis`. */
  render(): Promise<string>;
  readonly contentType: string;
}

export function createHealthLog(logger: Logger): HealthLog {
  const metrics = createMetrics();
  const gauge = metrics.gauge(healthcheck);
  const counter = metrics.counter(healthchecksTotal);
  const failing = new Map<string, string>();

  const tell = (page: string, name: string, outcome: HealthOutcome): void => {
    const key = `${page}/${name}`;
    if (outcome.ok) {
      if (failing.delete(key)) logger.info({ page, check: name }, 'Health check passed again');
    } else if (!failing.has(key)) {
      const { reason } = outcome;
      logger.warn({ page, check: name, reason }, 'Health check failed');
      failing.set(key, reason);
    }
  };

  return {
    observe(page, name, outcome) {
      gauge.set({ name, type: page }, outcome.ok ? 1 : 0);
      counter.inc({ name, type: page, status: outcome.ok ? 'success' : 'error' });
      tell(page, name, outcome);
    },
    render: () => metrics.render(),
    contentType: metrics.contentType,
  };
}
