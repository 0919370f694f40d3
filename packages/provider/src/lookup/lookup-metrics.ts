/**
 * Declares the metrics of cloud calls as data. Upstream has none of these: its users find out about throttling in logs. A
 * call is one look-up of a provider, however many pages it reads.
 */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';
import type { Answer } from './answer.ts';
import type { CallOutcome, CallResult } from './call-provider.ts';

export const callsTotal: MetricDeclaration<'provider' | 'freshness' | 'outcome'> = {
  name: 'tandem_cloud_calls_total',
  help:
    'Calls to the provider, by outcome. The freshness is authoritative if the provider had to ask its ' +
    'source, and cached if it was free to answer from its own copies.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness', 'outcome'],
};

export const callDurationSeconds: HistogramDeclaration<'provider' | 'freshness'> = {
  name: 'tandem_cloud_call_duration_seconds',
  help: 'Duration of calls to the provider, including failed calls.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30],
};

export const callNodes: HistogramDeclaration<'provider' | 'freshness'> = {
  name: 'tandem_cloud_call_nodes',
  help: 'Nodes in one call to the provider.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness'],
  buckets: [1, 5, 20, 50, 100, 200, 500, 1_000],
};

export const answersTotal: MetricDeclaration<'provider' | 'answer'> = {
  name: 'tandem_cloud_answers_total',
  help: 'Answers about single nodes, by kind: found, absent, not_ours or unknown.',
  stability: 'ALPHA',
  labels: ['provider', 'answer'],
};

export const answersDroppedTotal: MetricDeclaration<'provider' | 'reason'> = {
  name: 'tandem_cloud_answers_dropped_total',
  help:
    'Answers that were discarded, by reason: malformed or missing (malformed), too old (too_old), or ' +
    'about a node that was not in the call (not_asked).',
  stability: 'ALPHA',
  labels: ['provider', 'reason'],
};

export const questionsTotal: MetricDeclaration<'provider' | 'source'> = {
  name: 'tandem_cloud_lookups_total',
  help:
    'Lookups of single nodes by the controllers, by source of the answer: a call of their own, a call ' +
    'shared with another lookup, the cache, or none because the lookup was refused.',
  stability: 'ALPHA',
  labels: ['provider', 'source'],
};

export const cachedInstances: MetricDeclaration<'provider'> = {
  name: 'tandem_cloud_cached_instances',
  help: 'Entries in the instance cache. A node has two entries while it is being initialised.',
  stability: 'ALPHA',
  labels: ['provider'],
};

export const noticesTotal: MetricDeclaration<'provider'> = {
  name: 'tandem_cloud_notices_total',
  help: 'Hints of the provider that instances may have changed.',
  stability: 'ALPHA',
  labels: ['provider'],
};

export type AnswerSource = 'call' | 'shared' | 'cache' | 'refused';

export interface LookupMetrics {
  asked(source: AnswerSource): void;
  ended(result: CallResult, durationMs: number): void;
  cached(entries: number): void;
  noticed(): void;
}

/** Declared once per process. A label names the provider. */
export function lookupMetrics(metrics: Metrics, provider: string): LookupMetrics {
  const calls = metrics.counter(callsTotal);
  const durations = metrics.histogram(callDurationSeconds);
  const nodes = metrics.histogram(callNodes);
  const answered = metrics.counter(answersTotal);
  const dropped = metrics.counter(answersDroppedTotal);
  const questions = metrics.counter(questionsTotal);
  const cacheGauge = metrics.gauge(cachedInstances);
  const notices = metrics.counter(noticesTotal);
  return {
    asked: (source) => questions.inc({ provider, source }),
    ended({ outcome, answers, notAsked, malformed, tooOld, maxAgeMs }, durationMs) {
      const freshness = maxAgeMs === 0 ? 'authoritative' : 'cached';
      calls.inc({ provider, freshness, outcome: labelOf(outcome) });
      durations.observe({ provider, freshness }, durationMs / 1_000);
      nodes.observe({ provider, freshness }, answers.length);
      for (const answer of kinds) {
        const count = answers.filter(({ kind }) => kind === answer).length;
        if (count > 0) answered.inc({ provider, answer: kindLabels[answer] }, count);
      }
      if (notAsked > 0) dropped.inc({ provider, reason: 'not_asked' }, notAsked);
      if (malformed > 0) dropped.inc({ provider, reason: 'malformed' }, malformed);
      if (tooOld > 0) dropped.inc({ provider, reason: 'too_old' }, tooOld);
    },
    cached: (entries) => cacheGauge.set({ provider }, entries),
    noticed: () => notices.inc({ provider }),
  };
}

const kinds: readonly Answer['kind'][] = ['found', 'absent', 'notOurs', 'unknown'];

const kindLabels: Readonly<Record<Answer['kind'], string>> = {
  found: 'found',
  absent: 'absent',
  notOurs: 'not_ours',
  unknown: 'unknown',
};

function labelOf(outcome: CallOutcome): string {
  return outcome.replace(' ', '_');
}
