import assert from 'node:assert/strict';
import { createLogger, virtualClock } from '@tandem/runtime';
import { type Reply, textReply } from '../http/reply.ts';
import { readTarget } from '../http/target.ts';
import type { HealthCheck, Pages } from '../pages.ts';
import { createHealthLog } from './health-log.ts';
import { createSite, type Site } from './site.ts';

const lease: HealthCheck = { name: 'lease', check: () => ({ ok: false, reason: 'lost' }) };
const pages: Pages = {
  livez: [],
  readyz: [lease],
  healthz: [{ name: 'ping', check: () => ({ ok: true }) }],
  metrics: () => Promise.resolve('up 1\n'),
  configz: () => ({ group: { key: 1 } }),
  flagz: () => new Map([['v', '2']]),
  statusz: () => ({ startedMs: 0, uptimeMs: 0, binaryVersion: '1', runtimeVersion: 'v24' }),
};

function aSite(profiling: 'on' | 'off' = 'on'): Site {
  const destination = { write: () => undefined };
  return createSite({
    pages,
    ownChecks: [{ name: 'own', check: () => ({ ok: true }) }],
    health: createHealthLog(createLogger({ clock: virtualClock(), destination })),
    metricsType: 'text/plain; version=0.0.4',
    profiler:
      profiling === 'on' ? { reply: () => Promise.resolve(textReply(200, 'profile')) } : undefined,
  });
}

function visit(site: Site, url: string, method = 'GET'): Promise<Reply> {
  const { signal } = new AbortController();
  return site.reply({ method, target: readTarget(url), headers: {}, signal });
}

describe('the pages of the secure port', () => {
  it('are where upstream has them', async () => {
    const site = aSite();
    const texts: Record<string, RegExp> = {
      '/livez': /^ok$/,
      '/livez?verbose': /^\[\+\]ping ok\n\[\+\]own ok\nlivez check passed\n$/,
      '/healthz?verbose': /^\[\+\]ping ok\n\[\+\]own ok\nhealthz check passed\n$/,
      '/livez/ping': /^ok$/,
      '/metrics': /^up 1\n$/,
      '/metrics/slis': /kubernetes_healthcheck\{name="lease",type="readyz"\} 0/,
      '/configz': /^\{"group":\{"key":1\}\}\n$/,
      '/flagz': /\nv=2\n$/,
      '/statusz': /Paths: .*\/configz .*\/statusz/,
      '/debug/pprof/': /profile\?seconds/,
      '/debug/pprof/profile': /^profile$/,
    };
    for (const [url, text] of Object.entries(texts)) {
      const reply = await visit(site, url);
      assert.equal(reply.status, 200, url);
      assert.match(reply.body, text, url);
    }
    assert.equal((await visit(site, '/readyz')).status, 500);
    assert.match((await visit(site, '/readyz/lease')).body, /lost/);
  });

  it('are nowhere else', async () => {
    const site = aSite();
    for (const url of [
      '/',
      '',
      '/metrics/',
      '/livez/',
      '/livez/lease',
      '/readyz/ping/',
      '/debug/pprof/heap',
      '/toString',
    ]) {
      assert.equal((await visit(site, url)).status, 404, url);
      assert.equal(site.labelOf(url), 'other', url);
    }
    assert.equal(site.labelOf('/metrics'), '/metrics');
  });

  it('are read with GET or HEAD', async () => {
    const site = aSite();
    assert.equal((await visit(site, '/metrics', 'HEAD')).status, 200);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const reply = await visit(site, '/metrics', method);
      assert.deepEqual([reply.status, reply.headers], [405, { allow: 'GET, HEAD' }]);
    }
  });

  it('have no profile without --profiling', async () => {
    const site = aSite('off');
    for (const url of ['/debug/pprof/', '/debug/pprof/profile']) {
      assert.equal((await visit(site, url)).status, 404, url);
    }
  });
});
