/** Dashboard and alerts against what the manager really shows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processMetrics } from '@tandem/runtime';
import { parse } from 'yaml';
import { observeManager } from '../docs/busy-manager.fixture.ts';
import { metricGroups } from '../docs/metric-groups.ts';
import { alerts } from './alerts.ts';
import { rows } from './dashboard.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const expressions = [
  ...alerts.map(({ name, expr }) => ({ name, expr })),
  ...rows
    .flatMap(({ panels }) => panels)
    .flatMap(({ title, queries }) => Object.values(queries).map((expr) => ({ name: title, expr }))),
];

const labelsOf = new Map<string, readonly string[]>([
  ...metricGroups
    .flatMap(({ metrics }) => metrics)
    .map(({ name, labels }): [string, readonly string[]] => [name, labels]),
  ...processMetrics().map(({ name }): [string, readonly string[]] => [name, []]),
]);

/** The metrics that an expression reads, without the endings of a histogram. */
function metricsIn(expr: string): string[] {
  const withoutLabels = expr.replaceAll(/\{[^}]*\}|\b(?:by|on) \([^)]*\)/g, '');
  const names = withoutLabels.match(/\b[a-z]+_\w+\b/g) ?? [];
  const known = names.filter((name) => !functions.has(name) && !name.startsWith('__'));
  return known.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
}

const functions = new Set(['histogram_quantile', '__rate_interval']);

/** What Prometheus adds to every series, and to the buckets of a histogram. */
const added = new Set(['instance', 'job', 'le']);

describe('the dashboard and the alerts', () => {
  it('name metrics that a manager shows, and no other', async () => {
    const { metrics } = await observeManager();
    const shown = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name));
    // The process that runs the tests has these too; a manager in virtual time does not register them.
    for (const { name } of processMetrics()) shown.add(name);
    const named = expressions.flatMap(({ expr }) => metricsIn(expr));
    assert.ok(new Set(named).size > 30, 'the expressions were read');
    assert.deepEqual(
      [...new Set(named)].filter((name) => !shown.has(name)),
      [],
    );
  });

  for (const { name, expr } of expressions) {
    it(`select and group by labels that the metrics have: ${name}`, () => {
      const metrics = metricsIn(expr);
      assert.ok(metrics.length > 0, expr);
      for (const [, metric = '', matchers = ''] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
        const base = metric.replace(/_(?:bucket|count|sum)$/, '');
        for (const [label] of matchers.matchAll(/\w+(?=[=!])/g)) {
          assert.ok(labelsOf.get(base)?.includes(label), `${metric} has no label ${label}`);
        }
      }
      for (const [, list = ''] of expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)) {
        for (const label of list.split(', ').filter((each) => !added.has(each))) {
          const has = metrics.some((metric) => labelsOf.get(metric)?.includes(label));
          assert.ok(has, `${expr} has no label ${label}`);
        }
      }
    });
  }

  it('link every alert to its section of the runbook', () => {
    const headings = [...read('docs/guides/alerts.md').matchAll(/^## (.*)$/gm)];
    const anchors = headings.map(([, heading = '']) => heading.toLowerCase());
    const { groups } = parse(read('manifests/alerts/tandem.yaml'));
    const links: string[] = groups.flatMap(
      ({ rules }: { rules: { annotations: { runbook_url: string } }[] }) =>
        rules.map(({ annotations }) => annotations.runbook_url),
    );
    assert.equal(links.length, alerts.length);
    for (const link of links) {
      const [, page, anchor = ''] = /^https:\/\/[^/]+\/(.*)#(.*)$/.exec(link) ?? [];
      assert.equal(page, 'docs/guides/alerts.md');
      assert.ok(anchors.includes(anchor), link);
    }
  });

  it('have links in the runbook to pages and sections that are there', () => {
    const page = read('docs/guides/alerts.md');
    const targets = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    assert.ok(targets.length > 5);
    for (const target of targets) {
      const [path = '', anchor] = target.split('#');
      if (path !== '') read(join('docs/guides', path));
      else assert.ok(page.toLowerCase().includes(`## ${anchor}\n`), target);
    }
  });

  it('place no two panels of the dashboard on one another', () => {
    const { panels } = JSON.parse(read('manifests/dashboards/tandem.json'));
    const taken = new Map<string, string>();
    for (const {
      title,
      gridPos: { x, y, w, h },
    } of panels) {
      assert.ok(x + w <= 24, title);
      for (let column = x; column < x + w; column += 1) {
        for (let line = y; line < y + h; line += 1) {
          const place = `${column}/${line}`;
          assert.equal(taken.get(place), undefined, `${title} at ${place}`);
          taken.set(place, title);
        }
      }
    }
  });
});
