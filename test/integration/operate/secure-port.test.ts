/**
 * The secure port of the shipped program, with reviews asked under the rights of the shipped manifest:
 * nobody without rights learns anything but health, and a scraper with upstream's documented role reads
 * metrics that hold up against the rules of Prometheus.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Limiter, systemClock } from '@tandem/runtime';
import { createAuthority } from '../../control-plane/index.ts';
import { aMachine } from '../manager/inventory.ts';
import type { Scenario } from '../manager/scenario.ts';
import { useInstallation } from '../manager/installation.ts';
import { checkMetrics, requirePromtool } from '../promtool.ts';
import { bindClusterRole, createAccount, createMetricsRole, tokenFor } from '../serving/cluster.ts';
import { operate, type Operated, quickDeletion, untilLeading } from './operated.ts';
import { documentedMetrics, scrapeOf } from './documented-metrics.ts';
import type { Identity } from './secure-port.ts';

const run = promisify(execFile);

const protectedPages = [
  '/metrics',
  '/metrics/slis',
  '/configz',
  '/flagz',
  '/statusz',
  '/statusz/nodes',
  '/statusz/pools',
  '/statusz/routes',
  '/debug/pprof/',
  '/debug/pprof/profile?seconds=1',
  '/livez/ping',
  '/readyz/nodes-synced',
];

/** Spellings that are no page, and must not become one. */
const tricks = [
  '/',
  '//metrics',
  '/metrics/',
  '/healthz/../metrics',
  '/healthz/..%2fmetrics',
  '/healthz%2f..%2fmetrics',
  '/%6detrics',
  '/METRICS',
  '/debug/pprof/heap',
  '/debug/flags/v',
  '/nothing-here',
];

describe('the secure port of the shipped program', function () {
  this.timeout(60_000);
  const { open, installation } = useInstallation();
  let scenario: Scenario;
  let operated: Operated;
  let scraper: string;

  before(async function () {
    this.timeout(60_000);
    const { controlPlane } = installation();
    scenario = await open({ machines: fleet.map((name, index) => aMachine(name, index + 1)) });
    operated = await operate(scenario, { flags: quickDeletion });
    const account = await createAccount(controlPlane, 'scraper');
    const role = await createMetricsRole(controlPlane);
    await bindClusterRole(controlPlane, role, { kind: 'ServiceAccount', name: account.name });
    scraper = await tokenFor(controlPlane, account);
    await untilLeading(scenario, operated);
  });

  after(() => scenario?.[Symbol.asyncDispose]());

  /** A refusal says who may not do what, and nothing of what is there. */
  async function refused(path: string, want: 401 | 403, asked: Identity & { method?: string }) {
    const { status, text } = await operated.port.ask(path, asked);
    assert.equal(status, want, `${asked.method ?? 'GET'} ${path}: ${text}`);
    if (asked.method === 'HEAD') return assert.equal(text, '');
    const { kind, code, reason } = JSON.parse(text);
    assert.deepEqual([kind, code], ['Status', want]);
    assert.equal(reason, want === 401 ? 'Unauthorized' : 'Forbidden');
  }

  it('shows only health to callers without rights', async () => {
    const { controlPlane, token: manager } = installation();
    const { cert = '', key = '' } = controlPlane.credentialsFor({ user: 'jane' });
    const other = await tokenFor(controlPlane, await createAccount(controlPlane, 'no-rights'));
    const foreign = createAuthority('foreign', systemClock.now());
    const impostor = foreign.issue({
      commonName: 'admin',
      organizations: ['system:masters'],
      uses: ['clientAuth'],
    });
    const strangers: readonly [401 | 403, Identity][] = [
      [403, {}],
      [403, { cert, key }],
      [403, { token: other }],
      [403, { token: manager }],
      [401, { token: 'forged' }],
      [401, { token: `${scraper.slice(0, -4)}AAAA` }],
      [401, { token: await tokenFor(controlPlane, { name: 'scraper', uid: '' }, ['other']) }],
      [401, impostor],
    ];
    for (const [want, who] of strangers) {
      for (const path of [...protectedPages, ...tricks]) await refused(path, want, who);
      for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
        await refused('/metrics', want, { ...who, method });
      }
    }
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const { status, text } = await operated.port.ask(path);
      assert.deepEqual([status, text], [200, 'ok'], path);
    }
    assert.ok(!operated.manager.tail.includes(other), 'a token is in the log');
  });

  it('shows upstream’s shapes to those with rights', async () => {
    const { port } = operated;
    const configz = JSON.parse((await port.askAsMaster('/configz')).text);
    const { Generic, KubeCloudShared } = configz['cloudcontrollermanager.config.k8s.io'];
    assert.equal(Generic.LeaderElection.leaderElect, true);
    assert.equal(KubeCloudShared.CloudProvider.Name, 'static');
    const healthy = await port.askAsMaster('/readyz?verbose');
    assert.match(healthy.text, /^\[\+\]ping ok\n(?:\[\+\]\S+ ok\n)+readyz check passed\n$/);
    assert.equal((await port.askAsMaster('/readyz/nodes-synced')).text, 'ok');
    const slis = (await port.askAsMaster('/metrics/slis')).text;
    assert.match(slis, /^kubernetes_healthcheck\{name="leaderElection",type="livez"\} 1$/m);
    assert.match((await port.askAsMaster('/flagz')).text, /secure-port=\d+/);
    const { text } = await port.askAsMaster('/statusz');
    assert.match(text, /^Emulation version: 1\.36$/m);
    assert.match(text, /^Leader: \S+ \(this manager\)$/m);
    assert.match(text, /^Nodes: \d+(?: \(initialised \d+.*\))?$/m);
    assert.equal((await port.askAsMaster('/nothing-here')).status, 404);
    const { text: profile } = await port.askAsMaster('/debug/pprof/profile?seconds=1');
    assert.ok(Array.isArray(JSON.parse(profile).nodes), 'a CPU profile of V8');
  });

  it('packs the metrics for a scraper that asks for it', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const packed = await operated.port.ask('/metrics', { token: scraper, headers });
    assert.deepEqual([packed.status, packed.encoding], [200, 'gzip']);
    assert.match(packed.text, /^# TYPE running_managed_controllers gauge$/m);
    const plain = await operated.port.ask('/metrics', { token: scraper });
    assert.equal(plain.encoding, undefined);
  });

  it('lets only callers with rights set the log level', async () => {
    const { port, manager } = operated;
    const path = '/debug/flags/v';
    const put = { method: 'PUT', body: '4' };
    await refused(path, 403, { ...put, token: scraper });
    await refused(path, 401, { ...put, token: 'forged' });
    const isDetailed = (): boolean => manager.log.some(({ level }) => level === 'debug');
    assert.equal(isDetailed(), false);
    // Too long for a number, and not read to its end.
    const long = await port.askAsMaster(path, { ...put, body: '4'.repeat(100_000) });
    assert.deepEqual([long.status, long.text.startsWith('failed set')], [400, true]);
    assert.equal((await port.askAsMaster(path)).status, 405);
    const { status, text } = await port.askAsMaster(path, put);
    assert.deepEqual([status, text], [200, 'successfully set klog.logging.verbosity to 4']);
    assert.match((await port.askAsMaster('/flagz')).text, /^v=4$/m);
    await registerAll(scenario, [fleet[0] ?? '']);
    await scenario.until(isDetailed);
    await port.askAsMaster(path, { ...put, body: '0' });
    assert.match((await port.askAsMaster('/flagz')).text, /^v=0$/m);
  });

  it('gives curl the metrics for a service account with upstream’s metrics role, and nothing else', async () => {
    const ca = join(scenario.directory, 'serving-ca.crt');
    await writeFile(ca, operated.port.ca);
    const curl = async (path: string): Promise<string> => {
      const header = `Authorization: Bearer ${scraper}`;
      const options = ['-sS', '--cacert', ca, '-H', header, '-w', '%{http_code}'];
      try {
        return (await run('curl', [...options, `${operated.port.address}${path}`])).stdout;
      } catch (err) {
        if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err;
        // Where there is no curl, what it would have sent.
        const { status, text } = await operated.port.ask(path, { token: scraper });
        return `${text}${status}`;
      }
    };
    const metrics = await curl('/metrics');
    assert.match(metrics, /^# TYPE running_managed_controllers gauge$/m);
    assert.match(metrics, /200$/);
    for (const path of protectedPages.slice(1)) assert.match(await curl(path), /403$/, path);
  });

  it('has no label that grows with nodes, and nothing of a node in its metrics', async () => {
    const { port } = operated;
    const read = async (): Promise<string> => (await port.askAsMaster('/metrics')).text;
    await registerAll(scenario, fleet.slice(0, 5));
    const before = seriesIn(await read());
    await registerAll(scenario, fleet.slice(5));
    const text = await read();
    const added = [...seriesIn(text)].filter((series) => !before.has(series));
    // A status that had not come up before may; thirty nodes would add thirty of anything.
    assert.ok(added.length < 12, added.join('\n'));
    assert.doesNotMatch(text, /labelled-|10\.1\.0\.|fd00:1:|static:\/\//);
  });

  describe('in its metrics', () => {
    let promtool = '';

    before(async function () {
      promtool = await requirePromtool(this);
    });

    /** What promtool says of a scrape, but for names that are kept for upstream's sake. */
    async function findings(scrape: string): Promise<string[]> {
      const all = await checkMetrics(promtool, scrape);
      return all.filter((line) => !keptForUpstream.has(line.split(' ')[0] ?? ''));
    }

    it('breaks no rule of promtool, whatever has happened so far', async () => {
      for (const path of ['/metrics', '/metrics/slis']) {
        const { text } = await operated.port.askAsMaster(path);
        assert.deepEqual(await findings(text), [], path);
      }
    });

    it('has none in its reference that would break one', async () => {
      const documented = documentedMetrics();
      assert.ok(documented.length > 50, 'the reference was read');
      assert.deepEqual(await findings(scrapeOf(documented)), []);
      const bad = { name: 'bad_total', type: 'gauge', labels: [], help: 'Breaks a rule.' };
      assert.equal((await findings(scrapeOf([...documented, bad]))).length, 1);
    });

    it('shows none that its reference does not have', async () => {
      const known = new Set(documentedMetrics().map(({ name }) => name));
      for (const path of ['/metrics', '/metrics/slis']) {
        const { text } = await operated.port.askAsMaster(path);
        const shown = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
        assert.deepEqual(
          shown.filter((name) => !known.has(name)),
          [],
          path,
        );
      }
    });
  });
});

/**
 * Names of upstream's that break a rule of promtool and are served all the same, because dashboards have them.
 * Others of upstream's that break one are left out.
 */
const keptForUpstream: ReadonlySet<string> = new Set([
  'cloudprovider_aws_api_request_errors',
  'cloudprovider_azure_api_request_errors',
  'cloudprovider_azure_api_request_ratelimited_count',
  'cloudprovider_azure_api_request_throttled_count',
  'node_ipam_controller_cidrset_allocation_tries_per_request',
  'node_ipam_controller_cidrset_cidrs_allocations_total',
  'node_ipam_controller_cidrset_cidrs_releases_total',
  'node_ipam_controller_cidrset_max_cidrs',
  'node_ipam_controller_cidrset_usage_cidrs',
  'node_ipam_controller_cirdset_max_cidrs',
]);

const fleet = Array.from({ length: 35 }, (_, index) => `labelled-${index}`);

async function registerAll(scenario: Scenario, names: readonly string[]): Promise<void> {
  const few = new Limiter({ concurrency: 8 });
  await Promise.all(names.map((name) => few.run(() => scenario.register({ name }))));
  await scenario.untilInitialised(names);
}

/** Names with their labels, without values. */
function seriesIn(text: string): Set<string> {
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Set(samples.map((line) => line.slice(0, line.lastIndexOf(' '))));
}
