/** The alerts and the dashboard by Prometheus' own tool. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { alerts } from '../../../tools/observability/alerts.ts';
import { rows } from '../../../tools/observability/dashboard.ts';
import { type AlertCase, alertCases } from './alert-cases.ts';
import { root } from './helm.ts';
import { requirePromtool } from '../promtool.ts';

const rules = join(root, 'manifests/alerts/tandem.yaml');

describe('the alerts', function () {
  this.timeout(60_000);
  let promtool = '';
  let directory = '';
  before(async function () {
    promtool = await requirePromtool(this);
    directory = await mkdtemp(join(tmpdir(), 'tandem-alerts-'));
  });
  after(() => (directory === '' ? undefined : rm(directory, { recursive: true })));

  const run = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(promtool, [...args]);
    return stdout;
  };

  it('are rules that Prometheus reads', async () => {
    assert.match(await run('check', 'rules', rules), new RegExp(`${alerts.length} rules found`));
  });

  it('fire when they should, and at no other time', async () => {
    const file = join(directory, 'cases.yaml');
    const tests = Object.entries(alertCases).flatMap(([alert, cases]) =>
      cases.map((each) => testOf(alert, each)),
    );
    await writeFile(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    await run('test', 'rules', file);
  });

  it('each have a case in which they fire and one in which they do not', () => {
    const names = alerts.map(({ name }) => name);
    assert.deepEqual(Object.keys(alertCases).toSorted(), names.toSorted());
    for (const [alert, cases] of Object.entries(alertCases)) {
      const firing = cases.map((each) => each.firing > 0);
      assert.deepEqual(new Set(firing), new Set([true, false]), alert);
    }
  });

  it('fail their test when a case is wrong', async () => {
    const [[alert, [first]] = ['', []]] = Object.entries(alertCases);
    assert.ok(first !== undefined);
    const file = join(directory, 'wrong.yaml');
    const tests = [testOf(alert, { ...first, firing: first.firing + 1 })];
    await writeFile(file, stringify({ rule_files: [rules], evaluation_interval: '1m', tests }));
    await assert.rejects(run('test', 'rules', file), /FAILED/);
  });

  it('have a dashboard whose queries Prometheus can parse', async () => {
    const queries = rows.flatMap(({ panels }) =>
      panels.flatMap((panel) => Object.values(panel.queries)),
    );
    const recorded = queries.map((expr, index) => ({
      record: `query_${index}`,
      // Grafana fills it in.
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(directory, 'queries.yaml');
    await writeFile(file, stringify({ groups: [{ name: 'dashboard', rules: recorded }] }));
    assert.match(await run('check', 'rules', file), new RegExp(`${queries.length} rules found`));
  });
});

/** Counts the alerts that fire, whatever their labels. */
function testOf(alert: string, { name, series, atMinutes, firing }: AlertCase): object {
  return {
    name: `${alert}: ${name}`,
    interval: '1m',
    input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
    promql_expr_test: [
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
        eval_time: `${atMinutes}m`,
        exp_samples: [{ labels: '{}', value: firing }],
      },
    ],
  };
}
