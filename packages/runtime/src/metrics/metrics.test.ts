import assert from 'node:assert/strict';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('renders what was counted, with the stability level in the help text', async () => {
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

  it('keeps two registries apart and refuses a name twice in one', async () => {
    const declaration = { name: 'x_total', help: 'X.', stability: 'ALPHA', labels: [] } as const;
    const [first, second] = [createMetrics(), createMetrics()];
    first.counter(declaration).inc();
    second.counter(declaration);
    assert.match(await first.render(), /^x_total 1$/m);
    assert.match(await second.render(), /^x_total 0$/m);
    assert.throws(() => first.gauge(declaration), /already been registered/);
    assert.throws(() => first.counter({ ...declaration }), /already been registered/);
  });

  it('gives the same metric for the same declaration, so that counts go on', async () => {
    const declaration = { name: 'x_total', help: 'X.', stability: 'ALPHA', labels: [] } as const;
    const metrics = createMetrics();
    metrics.counter(declaration).inc();
    metrics.counter(declaration).inc();
    assert.match(await metrics.render(), /^x_total 2$/m);
  });
});
