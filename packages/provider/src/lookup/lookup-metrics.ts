/**
 * The metrics of cloud calls, declared as data. Upstream has none of these: there, a cloud that throttles
 * is found by reading logs. A call is one look-up of a provider, whatever pages it takes to answer.
 */
import type { HistogramDeclaration, MetricDeclaration, Metrics } from '@tandem/runtime';
import type { Freshness } from '../plug/index.ts';
import type { Answer } from './answer.ts';
import type { CallOutcome, CallResult } from './call-provider.ts';

export const callsTotal: MetricDeclaration<'provider' | 'freshness' | 'outcome'> = {
  name: 'tandem_cloud_calls_total',
  help: 'Look-ups that a cloud was asked for, by what became of them.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness', 'outcome'],
};

export const callDurationSeconds: HistogramDeclaration<'provider' | 'freshness'> = {
  name: 'tandem_cloud_call_duration_seconds',
  help: 'How long look-ups took, those that failed included.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness'],
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30],
};

export const callNodes: HistogramDeclaration<'provider' | 'freshness'> = {
  name: 'tandem_cloud_call_nodes',
  help: 'How many nodes one look-up was for.',
  stability: 'ALPHA',
  labels: ['provider', 'freshness'],
  buckets: [1, 5, 20, 50, 100, 200, 500, 1_000],
};

export const answersTotal: MetricDeclaration<'provider' | 'answer'> = {
  name: 'tandem_cloud_answers_total',
  help: 'Answers about single nodes that clouds gave: found, absent or unknown.',
  stability: 'ALPHA',
  labels: ['provider', 'answer'],
};

export const answersDroppedTotal: MetricDeclaration<'provider' | 'reason'> = {
  name: 'tandem_cloud_answers_dropped_total',
  help: 'Answers that could not be used: nonsense or missing, or about nodes that nobody asked for.',
  stability: 'ALPHA',
  labels: ['provider', 'reason'],
};

export const questionsTotal: MetricDeclaration<'provider' | 'source'> = {
  name: 'tandem_cloud_lookups_total',
  help:
    'Look-ups of single nodes by the controllers, by where their answer came from: a call of their ' +
    'own, one that was shared, the cache, or none because the cloud asked to be left alone.',
  stability: 'ALPHA',
  labels: ['provider', 'source'],
};

export const cachedInstances: MetricDeclaration<'provider'> = {
  name: 'tandem_cloud_cached_instances',
  help: 'Entries of the cache of instances; a node has two while it is being initialised.',
  stability: 'ALPHA',
  labels: ['provider'],
};

export type AnswerSource = 'call' | 'shared' | 'cache' | 'refused';

export interface LookupMetrics {
  asked(source: AnswerSource): void;
  ended(result: CallResult, call: { freshness: Freshness; durationMs: number }): void;
  cached(entries: number): void;
}

/** Declared once a process; a provider is told apart by its label. */
export function lookupMetrics(metrics: Metrics, provider: string): LookupMetrics {
  const calls = metrics.counter(callsTotal);
  const durations = metrics.histogram(callDurationSeconds);
  const nodes = metrics.histogram(callNodes);
  const answered = metrics.counter(answersTotal);
  const dropped = metrics.counter(answersDroppedTotal);
  const questions = metrics.counter(questionsTotal);
  const cacheGauge = metrics.gauge(cachedInstances);
  return {
    asked: (source) => questions.inc({ provider, source }),
    ended({ outcome, answers, notAsked, malformed }, { freshness, durationMs }) {
      calls.inc({ provider, freshness, outcome: labelOf(outcome) });
      durations.observe({ provider, freshness }, durationMs / 1_000);
      nodes.observe({ provider, freshness }, answers.length);
      for (const answer of kinds) {
        const count = answers.filter(({ kind }) => kind === answer).length;
        if (count > 0) answered.inc({ provider, answer }, count);
      }
      if (notAsked > 0) dropped.inc({ provider, reason: 'not_asked' }, notAsked);
      if (malformed > 0) dropped.inc({ provider, reason: 'malformed' }, malformed);
    },
    cached: (entries) => cacheGauge.set({ provider }, entries),
  };
}

const kinds: readonly Answer['kind'][] = ['found', 'absent', 'unknown'];

function labelOf(outcome: CallOutcome): string {
  return outcome.replace(' ', '_');
}
