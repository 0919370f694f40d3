/** `docs/reference/metrics.md`: every metric, its type, its labels, and what it means. */
import type { AnyMetric } from '@tandem/manager/controllers';
import { type ProcessMetric, processMetrics } from '@tandem/runtime';
import { type MetricGroup, metricGroups } from './metric-groups.ts';

export type MetricType = 'counter' | 'gauge' | 'histogram';

/** By what the conventions of Prometheus say of names; a test holds it against what is served. */
export function typeOf(metric: AnyMetric): MetricType {
  if ('buckets' in metric) return 'histogram';
  // Upstream named some of its counters before the convention.
  return /_total$|^cloudprovider_.*_(?:errors|count)$/.test(metric.name) ? 'counter' : 'gauge';
}

/** Ours have our prefix, and whatever has none has upstream's name. */
export function isUpstreamName({ name }: AnyMetric): boolean {
  return !name.startsWith('tandem_');
}

export function renderMetrics(): string {
  return `# The metrics

<!-- Made by \`npm run docs\` from the declarations of the metrics in packages and providers. -->

\`/metrics\` of the secure port (10258) has them in the text format of Prometheus, for whoever may \`get\` the
path: bind a ClusterRole with \`nonResourceURLs: [/metrics, /metrics/slis]\` and \`verbs: [get]\`.

Names without the prefix \`tandem_\` are upstream’s, with upstream’s labels and buckets, so that dashboards and
alerts made for other managers go on working. The rest tells what upstream’s managers leave to their logs.

No label ever has the name of a node or anything else that grows with the cluster, nor anything that a client
of the secure port could choose.

How far one can rely on a metric stands at the head of its help text, as in Kubernetes:

- **ALPHA**: it may change or go in any release; the change log tells;
- **BETA**: labels may be added and are never removed;
- **STABLE**: it stays as it is, and is announced for three releases or nine months before it goes.

${metricGroups.map(renderGroup).join('\n')}
## The process and Node.js

As prom-client, the Prometheus library for Node.js, has them. They are read when somebody asks for them, have no
stability level, and are not there on systems that do not tell them.

${processMetrics().map(renderProcessMetric).join('\n')}`;
}

function renderProcessMetric({ name, type, help }: ProcessMetric): string {
  return `### ${name}\n\n${type}\n\n${help}\n`;
}

function renderGroup({ title, about, metrics }: MetricGroup): string {
  return `## ${title}\n\n${about}\n\n${metrics.map(renderMetric).join('\n')}`;
}

function renderMetric(metric: AnyMetric): string {
  const { name, help, stability } = metric;
  const origin = isUpstreamName(metric) ? ' – upstream’s name' : '';
  const facts = `${typeOf(metric)}, ${stability}${labelsOf(metric)}${origin}`;
  return `### ${name}\n\n${facts}\n\n${help}\n${bucketsOf(metric)}`;
}

function labelsOf({ labels }: AnyMetric): string {
  if (labels.length === 0) return '';
  const word = labels.length === 1 ? 'label' : 'labels';
  return `, ${word} ${labels.map((label) => `\`${label}\``).join(', ')}`;
}

function bucketsOf(metric: AnyMetric): string {
  return 'buckets' in metric ? `\nBuckets: ${metric.buckets.join(', ')}\n` : '';
}
