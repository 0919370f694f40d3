import assert from 'node:assert/strict';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('renders recorded values, with the stability level in the help text', async () => {
    const metrics = createMetrics();
    const refusals = metrics.counter({
      name: 'tandem_refusals_total',
      help: 'Refused requests.',
      stability: 'ALPHA',
      labels: ['code'],
    });
    const nodes = metrics.gauge({
      name: 'tandem_nodes',
      help: 'Nodes known.',
      stability: 'BETA',
      labels: [],
    });
    const delay = metrics.histogram({
      name: 'tandem_delay_seconds',
      help: 'Delay.',
      stability: 'STABLE',
      labels: [],
      buckets: [1, 4],
    });
    refusals.inc({ code: 'InvalidSyntax' }, 2);
    nodes.set(7);
    delay.observe(3);
    const text = await metrics.render();
    for (const line of [
      '# HELP tandem_refusals_total [ALPHA] Refused requests.',
      'tandem_refusals_total{code="InvalidSyntax"} 2',
      '# TYPE tandem_nodes gauge',
      'tandem_nodes 7',
      'tandem_delay_seconds_bucket{le="1"} 0',
      'tandem_delay_seconds_bucket{le="4"} 1',
      'tandem_delay_seconds_count 1',
    ]) {
      assert.ok(text.split('\n').includes(line), `${line} in:\n${text}`);
    }
    assert.match(metrics.contentType, /^text\/plain; version=0\.0\.4/);
  });

  it('renders each set of labels as a series, and cumulative counts of histogram buckets', async () => {
    const metrics = createMetrics();
    const [help, stability] = ['X.', 'ALPHA'] as const;
    const requests = metrics.counter({
      name: 'r_total',
      help,
      stability,
      labels: ['code', 'verb'],
    });
    const took = metrics.histogram({
      name: 't_seconds',
      help: 'A \\ and\na line.',
      stability,
      labels: ['verb'],
      buckets: [0.1, 1],
    });
    requests.inc({ verb: 'GET', code: '200' });
    requests.inc({ verb: 'PUT', code: '200' }, 2);
    requests.labels({ verb: 'GET', code: '200' }).inc();
    for (const value of [0.1, 0.5, 7]) took.observe({ verb: 'a"b\\c\nd' }, value);
    took.labels({ verb: 'PUT' }).observe(1);
    assert.equal(
      await metrics.render(),
      [
        '# HELP r_total [ALPHA] X.',
        '# TYPE r_total counter',
        'r_total{verb="GET",code="200"} 2',
        'r_total{verb="PUT",code="200"} 2',
        '',
        String.raw`# HELP t_seconds [ALPHA] A \\ and\na line.`,
        '# TYPE t_seconds histogram',
        ...[1, 2, 3].map(
          (count, at) =>
            String.raw`t_seconds_bucket{le="${['0.1', '1', '+Inf'][at]}",verb="a\"b\\c\nd"} ` +
            count,
        ),
        String.raw`t_seconds_sum{verb="a\"b\\c\nd"} 7.6`,
        String.raw`t_seconds_count{verb="a\"b\\c\nd"} 3`,
        't_seconds_bucket{le="0.1",verb="PUT"} 0',
        't_seconds_bucket{le="1",verb="PUT"} 1',
        't_seconds_bucket{le="+Inf",verb="PUT"} 1',
        't_seconds_sum{verb="PUT"} 1',
        't_seconds_count{verb="PUT"} 1',
        '',
      ].join('\n'),
    );
  });

  it('omits a removed gauge until it is set again', async () => {
    const metrics = createMetrics();
    const gauge = metrics.gauge({ name: 'g', help: 'G.', stability: 'ALPHA', labels: [] });
    assert.match(await metrics.render(), /^g 0$/m);
    gauge.remove();
    assert.doesNotMatch(await metrics.render(), /^g /m);
    for (const [value, text] of [
      [1e21, '1e+21'],
      [Number.NaN, 'Nan'],
      [Number.POSITIVE_INFINITY, '+Inf'],
      [Number.NEGATIVE_INFINITY, '-Inf'],
    ] as const) {
      gauge.set(value);
      assert.ok((await metrics.render()).endsWith(`\ng ${text}\n`), text);
    }
  });

  it('keeps two registries separate, and rejects a duplicate name within one', async () => {
    const declaration = { name: 'x_total', help: 'X.', stability: 'ALPHA', labels: [] } as const;
    const [first, second] = [createMetrics(), createMetrics()];
    first.counter(declaration).inc();
    second.counter(declaration);
    assert.match(await first.render(), /^x_total 1$/m);
    assert.match(await second.render(), /^x_total 0$/m);
    assert.throws(() => first.gauge(declaration), /already been registered/);
    assert.throws(() => first.counter({ ...declaration }), /already been registered/);
  });

  it('returns the same metric for the same declaration, so that counting continues', async () => {
    const declaration = { name: 'x_total', help: 'X.', stability: 'ALPHA', labels: [] } as const;
    const metrics = createMetrics();
    metrics.counter(declaration).inc();
    metrics.counter(declaration).inc();
    assert.match(await metrics.render(), /^x_total 2$/m);
  });

  it('includes metrics of the process and of Node.js on request, under the names that dashboards know', async () => {
    const text = await createMetrics({ ofProcess: true }).render();
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_gc_duration_seconds',
    ]) {
      assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'));
    }
    const gauges = [...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name);
    assert.deepEqual(
      gauges.filter((name) => name.endsWith('_total')),
      [],
    );
    assert.equal((await createMetrics().render()).trim(), '');
  });
});
