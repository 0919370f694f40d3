import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsMetrics } from '@tandem/provider-aws/metrics';
import { azureMetrics } from '@tandem/provider-azure/metrics';
import { createMetrics, processMetrics } from '@tandem/runtime';
import { observeManager } from './busy-manager.fixture.ts';
import type { AnyMetric } from '@tandem/runtime';
import { metricGroups } from './metric-groups.ts';
import { isUpstreamName, renderMetrics, typeOf } from './metrics-page.ts';

const root = join(import.meta.dirname, '..', '..');

const documented = metricGroups.flatMap(({ metrics }) => metrics);
const byName = new Map(documented.map((metric) => [metric.name, metric]));

/** They have a registry and a page of their own. */
const healthMetrics = new Set(['kubernetes_healthcheck', 'kubernetes_healthchecks_total']);

const sources = ['packages/*/src/**/*.ts', 'providers/*/src/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !/\.(?:test|fixture)\.ts$|^packages\/runtime\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the page of metrics', () => {
  it('has every metric that a manager shows, as it shows it, and no other', async () => {
    const manager = familiesIn((await observeManager()).metrics);
    const shown = [...manager, ...familiesIn(await observeClouds())];
    const expected = documented.filter(({ name }) => !healthMetrics.has(name)).map(familyOf);
    assert.deepEqual(shown.map(withoutLabels).toSorted(byFamily), expected.toSorted(byFamily));
    const used = shown.filter(({ labels }) => labels !== undefined);
    assert.ok(used.length > 30, `only ${used.length} metrics had a value`);
    for (const { name, labels = [] } of used) {
      assert.deepEqual(labels, [...(byName.get(name)?.labels ?? [])].toSorted(), name);
    }
  });

  it('has every metric that the sources declare, once', () => {
    const declared = sources.flatMap(({ text }) =>
      Array.from(text.matchAll(/\bname: '(\w+)',\s*help:/g), ([, name = '']) => name),
    );
    assert.deepEqual(documented.map(({ name }) => name).toSorted(), declared.toSorted());
  });

  it('is complete, because metrics are declared as data', () => {
    const undeclared = /\.(?:counter|gauge|histogram)\(\s*\{|new (?:Counter|Gauge|Histogram)\(/;
    const found = sources.filter(({ text }) => undeclared.test(text)).map(({ path }) => path);
    assert.deepEqual(found, []);
  });

  it('has a section for each, with its type, stability, labels and origin', () => {
    const page = renderMetrics();
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(
      headings,
      [...documented, ...processMetrics()].map(({ name }) => name),
    );
    const calls = 'counter, ALPHA, labels `provider`, `freshness`, `outcome`\n';
    assert.ok(page.includes(`### tandem_cloud_calls_total\n\n${calls}`));
    const depth = 'gauge, BETA, label `name` – upstream’s name\n';
    assert.ok(page.includes(`### workqueue_depth\n\n${depth}`));
    const blocks = 'gauge, ALPHA, label `clusterCIDR`';
    const misspelt = 'node_ipam_controller_cirdset_max_cidrs';
    assert.ok(page.includes(`### ${misspelt}\n\n${blocks} – upstream’s name\n`));
    assert.ok(page.includes(`### node_ipam_controller_cidrset_max_cidrs\n\n${blocks}\n`));
  });

  it('keeps to the conventions: a prefix that is ours or upstream’s, units, bounded labels', () => {
    const prefixes =
      /^(?:node_controller|node_ipam_controller|route_controller|cloud_node_lifecycle_controller|workqueue|rest_client|leader_election|running_managed_controllers|apiserver_delegated|authentication_token_cache|kubernetes_healthcheck|cloudprovider_aws|cloudprovider_azure)/;
    for (const metric of documented) {
      const { name, help, labels } = metric;
      if (isUpstreamName(metric)) assert.match(name, prefixes);
      assert.ok(help.length > 20, name);
      assert.ok(!labels.includes('node'), name);
      assert.doesNotMatch(name, /_(?:ms|milliseconds|minutes)\b/);
    }
  });
});

/** The manager that is observed runs on another cloud than these. */
async function observeClouds(): Promise<string> {
  const metrics = createMetrics();
  const aws = awsMetrics(metrics);
  aws.succeeded('DescribeInstances', 100);
  aws.failed('DescribeInstances');
  aws.throttled('DescribeInstances');
  const azure = azureMetrics(metrics);
  const call = { request: 'vm_list', resourceGroup: 'blue', subscriptionId: 'subscription' };
  azure.sent(call, 100);
  azure.failed(call);
  azure.throttled(call);
  azure.rateLimited(call);
  return metrics.render();
}

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
}

function familyOf(metric: AnyMetric): Family {
  const { name, stability, help } = metric;
  return { name, type: typeOf(metric), help: `[${stability}] ${help}` };
}

/** The families of a text in Prometheus' format; labels of those that have a value. */
function familiesIn(text: string): (Family & { readonly labels: string[] | undefined })[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)].map(
    ([, name = '', help = '', type = '']) => ({ name, type, help, labels: labelsIn(text, name) }),
  );
}

function labelsIn(text: string, name: string): string[] | undefined {
  const sample = new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? \\S+$`, 'm').exec(
    text,
  );
  if (sample === null) return undefined;
  const labels = [...(sample[1] ?? '').matchAll(/(\w+)="/g)].map(([, label = '']) => label);
  return labels.filter((label) => label !== 'le').toSorted();
}

function withoutLabels({ name, type, help }: Family): Family {
  return { name, type, help };
}

function byFamily(one: Family, other: Family): number {
  return one.name.localeCompare(other.name);
}
