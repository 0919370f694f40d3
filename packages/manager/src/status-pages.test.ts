import assert from 'node:assert/strict';
import { createLogger, createMetrics, type Logger } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import type { Pages } from '@tandem/serving';
import { settingsOf } from './app/app-world.fixture.ts';
import { statusPages } from './status-pages.ts';

const clock = virtualClock();

function aPage(logger: Logger): Pages {
  return statusPages({
    clock,
    logger,
    metrics: createMetrics(),
    settings: settingsOf(['--cluster-name=blue']),
    flags: new Map([
      ['cluster-cidr', '10.244.0.0/16,fd00::/48'],
      ['secure-port', '10258'],
      ['v', '0'],
    ]),
    checks: { livez: [], readyz: [], healthz: [] },
    app: {
      leaderText: () => 'a_1',
      view: () => 'standby',
      nodeStates: () => new Map([['waiting', 1]]),
      controllerStatus: () => [{ title: 'Routes', rows: [], notes: [] }],
    },
    runtimeVersion: 'v24',
  });
}

describe('the pages of the manager', () => {
  it('change the log level of all loggers, and show it among the flags', () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(JSON.parse(line).msg);
    const logger = createLogger({ clock, destination: { write } });
    const controller = logger.child({ controller: 'cloud-node' });
    const pages = aPage(logger);
    controller.debug({}, 'Before');
    pages.setVerbosity?.(4);
    controller.debug({}, 'After');
    controller.trace({}, 'Over the wire');
    assert.deepEqual(lines, ['Changed log verbosity', 'After']);
    assert.deepEqual(
      [...pages.flagz()],
      [
        ['cluster-cidr', '10.244.0.0/16,fd00::/48'],
        ['secure-port', '10258'],
        ['v', '4'],
      ],
    );
    pages.setVerbosity?.(0);
    controller.debug({}, 'Too much');
    assert.deepEqual(lines.slice(2), ['Changed log verbosity']);
  });

  it('show the configuration under upstream’s keys, with durations as Go prints them', () => {
    const pages = aPage(createLogger({ clock, destination: { write: () => {} } }));
    const shown = JSON.parse(JSON.stringify(pages.configz()));
    const { kind, apiVersion, Generic, KubeCloudShared, NodeStatusUpdateFrequency } =
      shown['cloudcontrollermanager.config.k8s.io'];
    assert.equal(kind, 'CloudControllerManagerConfiguration');
    assert.equal(apiVersion, 'cloudcontrollermanager.config.k8s.io/v1alpha1');
    assert.equal(NodeStatusUpdateFrequency, '5m0s');
    assert.equal(Generic.LeaderElection.leaseDuration, '15s');
    assert.equal(Generic.ClientConnection.qps, -1, 'no limit, as the flag has it');
    assert.equal(KubeCloudShared.ClusterName, 'blue');
    assert.equal(KubeCloudShared.ClusterCIDR, '10.244.0.0/16,fd00::/48');
    const { brake } = shown['tandem.dev'].nodeDeletion;
    assert.deepEqual(Object.keys(brake).toSorted(), ['nodes', 'share', 'window']);
    assert.match(brake.window, /^\d+m0s$/);
  });

  it('show the leader, the number of nodes in each state, and the sections of controllers', () => {
    const pages = aPage(createLogger({ clock, destination: { write: () => {} } }));
    const { leader, nodes, sections } = pages.statusz();
    assert.deepEqual([leader, nodes?.get('waiting')], ['a_1', 1]);
    assert.deepEqual(
      sections.map(({ title }) => title),
      ['Routes'],
    );
  });

  it('cannot change the log level if the logger does not support it', () => {
    const logger = createLogger({ clock, destination: { write: () => {} } });
    delete logger.setLevel;
    assert.ok(!('setVerbosity' in aPage(logger)));
  });
});
