/** `docs/reference/metrics.md`: every metric, its type, its labels, and what it means. */
import { ipamMetricTable } from '@tandem/controllers/node-ipam';
import { type AnyMetric, type ProcessMetric, processMetrics } from '@tandem/runtime';
import { type MetricGroup, metricGroups } from './metric-groups.ts';

const { maxCIDRs, misspeltMaxCIDRs } = ipamMetricTable;

type MetricType = 'counter' | 'gauge' | 'histogram';

/** By what the conventions of Prometheus say of names; a test holds it against what is served. */
export function typeOf(metric: AnyMetric): MetricType {
  if ('buckets' in metric) return 'histogram';
  // Upstream named some of its counters before the convention.
  return /_total$|^cloudprovider_.*_(?:errors|count)$/.test(metric.name) ? 'counter' : 'gauge';
}

/** Ours have our prefix, and whatever has none has upstream's name, but for the right spelling of a misspelt one. */
export function isUpstreamName({ name }: AnyMetric): boolean {
  return !name.startsWith('tandem_') && name !== maxCIDRs.name;
}

export function renderMetrics(): string {
  return `# The metrics

<!-- Made by \`npm run docs\` from the declarations of the metrics in packages and providers. -->

The secure port (10258) serves the metrics at \`/metrics\`, in the text format of Prometheus. A client needs the right to \`get\` the
path: bind its account to a ClusterRole with \`nonResourceURLs: [/metrics, /metrics/slis]\` and \`verbs: [get]\`.

Names without the prefix \`tandem_\` are upstream’s, with upstream’s labels and buckets, so that dashboards and
alerts made for other managers keep working. One of them is misspelt: \`${maxCIDRs.name}\` is Tandem’s own
copy of \`${misspeltMaxCIDRs.name}\`. The other metrics show what upstream’s managers only log.

No label contains the name of a node, anything else that grows with the cluster, or anything that a client
of the secure port could choose.

The help text of each metric begins with its stability level, as in Kubernetes:

- **ALPHA**: the metric may change or disappear in any release; the changelog says so;
- **BETA**: releases may add labels, but never remove one;
- **STABLE**: the metric does not change. Its removal is announced three releases or nine months before.

${metricGroups.map(renderGroup).join('\n')}
## The process and Node.js

These are the metrics of prom-client, the Prometheus library for Node.js. The manager reads them at each request to \`/metrics\`. They have no
stability level, and are missing on systems that do not provide them.

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
