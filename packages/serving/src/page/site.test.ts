import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { createLogger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { type Reply, textReply } from '../http/reply.ts';
import { readTarget } from '../http/target.ts';
import type { HealthCheck, Pages } from '../pages.ts';
import { createHealthLog } from './health-log.ts';
import { createSite, type Site, type Visit } from './site.ts';

const lease: HealthCheck = { name: 'lease', check: () => ({ ok: false, reason: 'lost' }) };
const verbosities: number[] = [];
const pages: Pages = {
  livez: [],
  readyz: [lease],
  healthz: [],
  metrics: () => Promise.resolve('up 1\n'),
  lists: new Map(),
  configz: () => ({ group: { key: 1 } }),
  flagz: () => new Map([['v', '2']]),
  setVerbosity: (verbosity) => void verbosities.push(verbosity),
  statusz: () => ({
    startedMs: 0,
    uptimeMs: 0,
    binaryVersion: '1',
    runtimeVersion: 'v24',
    leader: 'a_1',
    nodes: undefined,
    sections: [],
  }),
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

function visit(
  site: Site,
  url: string,
  method = 'GET',
  { text = '', headers = {} }: { text?: string | undefined; headers?: Visit['headers'] } = {},
): Promise<Reply> {
  const { signal } = new AbortController();
  const readText = async (bytesMax: number): Promise<string | undefined> =>
    text.length > bytesMax ? undefined : text;
  return site.reply({ method, target: readTarget(url), headers, readText, signal });
}

describe('the pages of the secure port', () => {
  it('have the paths of upstream', async () => {
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
      '/statusz': /Paths: .*\/configz \/debug\/flags\/v .*\/statusz/,
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

  it('have no other paths', async () => {
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

  it('accept only GET and HEAD', async () => {
    const site = aSite();
    assert.equal((await visit(site, '/metrics', 'HEAD')).status, 200);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const reply = await visit(site, '/metrics', method);
      assert.deepEqual([reply.status, reply.headers], [405, { allow: 'GET, HEAD' }]);
    }
  });

  it('have no profiles and no log level without --profiling', async () => {
    const site = aSite('off');
    for (const url of ['/debug/pprof/', '/debug/pprof/profile', '/debug/flags/v']) {
      assert.equal((await visit(site, url)).status, 404, url);
    }
    assert.equal((await visit(site, '/debug/flags/v', 'PUT', { text: '4' })).status, 404);
  });

  it('set the log level with PUT and upstream’s answers, and with no other method', async () => {
    const site = aSite();
    const put = (text?: string): Promise<Reply> => visit(site, '/debug/flags/v', 'PUT', { text });
    verbosities.length = 0;
    for (const text of ['4', ' 10\n', '0']) {
      const { status, body } = await put(text);
      assert.deepEqual(
        [status, body],
        [200, `successfully set klog.logging.verbosity to ${text.trim()}`],
      );
    }
    assert.deepEqual(verbosities, [4, 10, 0]);
    for (const text of ['', '-1', '4.5', 'debug', '0x4', '2147483648', '4'.repeat(65)]) {
      const { status, body } = await put(text);
      assert.equal(status, 400, text);
      assert.match(body, /^failed set klog\.logging\.verbosity: the body must be a whole number/);
    }
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      const { status, headers } = await visit(site, '/debug/flags/v', method, { text: '9' });
      assert.deepEqual([status, headers], [405, { allow: 'PUT' }], method);
    }
    assert.deepEqual(verbosities, [4, 10, 0]);
    assert.equal(site.labelOf('/debug/flags/v'), '/debug/flags/v');
  });

  const encodings = [
    { accepted: 'gzip', isPacked: true },
    { accepted: 'deflate, GZIP;q=0.5', isPacked: true },
    { accepted: 'gzip;q=0.0', isPacked: false },
    { accepted: 'gzip; q=0, deflate', isPacked: false },
    { accepted: '*', isPacked: false },
    { accepted: 'gzipped', isPacked: false },
    { accepted: undefined, isPacked: false },
  ];
  for (const { accepted, isPacked } of encodings) {
    it(`are ${isPacked ? '' : 'not '}compressed for Accept-Encoding: ${accepted}`, async () => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
      const reply = await visit(aSite(), '/metrics', 'GET', { headers });
      assert.equal(reply.headers?.['vary'], 'Accept-Encoding');
      assert.equal(reply.headers?.['content-encoding'], isPacked ? 'gzip' : undefined);
      const text = reply.content === undefined ? reply.body : gunzipSync(reply.content).toString();
      assert.equal(text, 'up 1\n');
      assert.equal(reply.content !== undefined, isPacked);
    });
  }
});
