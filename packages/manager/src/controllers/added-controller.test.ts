/** Tests that a controller needs only an entry in the list to be a complete controller of the manager. */
import assert from 'node:assert/strict';
import type { KubeTransport } from '@tandem/kube/transport';
import { createLogger, createMetrics } from '@tandem/runtime';
import { virtualClock } from '@tandem/runtime/testing';
import { stackLabel } from '../../../../test/support/example-controller/index.ts';
import { AppWorld, settingsOf } from '../app/app-world.fixture.ts';
import { noConfiguration } from '../config/index.ts';
import { parseCommandLine } from '../flags/index.ts';
import { joinFlags } from '../flags/joined-flags.fixture.ts';
import { neededPermissions } from '../self-check/permissions.ts';
import { statusPages } from '../status-pages.ts';
import { controllers, declareController } from './index.ts';

const declarations = [...controllers, stackLabel];

/** The controllers that run without further flags. */
const running = ['cloud-node-controller', 'cloud-node-lifecycle-controller'];

const lease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

describe('a controller that is added to the list', () => {
  it('has its flags and its name in --help', () => {
    const line = parseCommandLine(['--help'], declarations);
    assert.ok(line.kind === 'help');
    assert.match(
      line.text,
      /^Stack label controller flags:\n\n {2}--concurrent-stack-labels int$/m,
    );
    assert.match(line.text.replaceAll(/\s+/g, ' '), /and stack-label-controller \(stack-label\)\./);
    assert.ok(
      line.text.indexOf('Stack label controller flags:') > line.text.indexOf('Misc flags:'),
    );
  });

  it('is selected by its name, its alias and *, and is suggested for a misspelt name', () => {
    const selected = (entries: string) =>
      settingsOf([`--controllers=${entries}`], declarations).controllers.map(
        ({ facts }) => facts.name,
      );
    assert.deepEqual(selected('stack-label'), ['stack-label-controller']);
    assert.deepEqual(selected('stack-label-controller'), ['stack-label-controller']);
    assert.deepEqual(selected('*,-stack-label'), running);
    assert.deepEqual(selected('*'), [...running, 'stack-label-controller']);
    const line = parseCommandLine(
      ['--cloud-provider=static', '--controllers=stack-labels'],
      declarations,
    );
    assert.ok(line.kind === 'run');
    assert.match(line.problems.join(), /did you mean stack-label\?/);
  });

  it('is unknown if it is not in the list', () => {
    const line = parseCommandLine(['--cloud-provider=static', '--controllers=stack-label']);
    assert.ok(line.kind === 'run');
    assert.match(line.problems.join(), /"stack-label" is not a controller/);
  });

  it('may have further aliases, report problems of the settings, and decline to run', () => {
    const sundays = declareController<undefined>({
      ...stackLabel,
      otherAliases: ['stacks'],
      read(_, { isSelected, file, problems, notes }) {
        if (file.podCIDRPools.length > 0) problems.push('stack labels know no pools');
        notes.push({
          level: 'info',
          message: 'Is selected',
          fields: { isSelected: `${isSelected}` },
        });
        return undefined;
      },
      idleBecause: () => 'it is Monday',
      show: () => ({ upstream: {}, own: {} }),
      needs: () => [],
      create: () => assert.fail('it does not run'),
    });
    const withoutRoutes = ['--cloud-provider=static', '--configure-cloud-routes=false'];
    const join = (entries: string, configuration = noConfiguration) =>
      joinFlags([...withoutRoutes, `--controllers=${entries}`], {
        declarations: [...controllers, sundays],
        configuration,
      });
    const by = join('*');
    const named = join('*,stacks');
    const off = join('*,-stacks');
    for (const { settings, problems } of [by, named, off]) {
      assert.deepEqual([problems, settings.controllers.length], [[], running.length]);
    }
    const textsOf = ({ notes }: typeof by): string =>
      notes
        .filter(({ message }) => message !== 'Controller is not available in Tandem')
        .map(({ level, fields }) => `${level} ${Object.values(fields).join(' ')}`)
        .join(', ');
    assert.equal(textsOf(by), 'info true');
    assert.equal(textsOf(named), 'info true, warn stack-label-controller it is Monday');
    assert.equal(textsOf(off), 'info false');
    assert.deepEqual(join('stacks').problems, [
      '--controllers selects stack-label-controller, which does not run: it is Monday',
    ]);
    const pool = { name: 'a', ranges: [], selector: undefined };
    const pooled = { ...noConfiguration, podCIDRPools: [pool] };
    assert.deepEqual(join('*', pooled).problems, ['stack labels know no pools']);
  });

  it('has its settings on /configz', () => {
    const clock = virtualClock();
    const settings = settingsOf(['--concurrent-stack-labels=7'], declarations);
    const pages = statusPages({
      clock,
      logger: createLogger({ clock, destination: { write: () => {} } }),
      metrics: createMetrics(),
      settings,
      flags: new Map(),
      checks: { livez: [], readyz: [], healthz: [] },
      app: {
        leaderText: () => '',
        view: () => 'standby',
        nodeStates: () => undefined,
        controllerStatus: () => [],
      },
      runtimeVersion: 'v24',
    });
    const shown = JSON.parse(JSON.stringify(pages.configz()));
    assert.deepEqual(shown['tandem.dev'].stackLabels, { workers: 7 });
  });

  it('has its permissions checked as its own account', () => {
    const args = ['--controllers=stack-label', '--use-service-account-credentials'];
    const needed = neededPermissions(settingsOf(args, declarations));
    const own = needed.filter(({ account }) => account === 'kube-system/stack-label-controller');
    assert.deepEqual(
      own.map(({ verb, resource, role }) => `${verb} ${resource} ${role}`),
      [
        'patch nodes ClusterRole tandem:controller:stack-label-controller',
        'get nodes ClusterRole tandem:controller:stack-label-controller',
        ...['get', 'create', 'patch'].map(
          (verb) => `${verb} events Role default/tandem:cloud-controller-manager:events`,
        ),
      ],
    );
    assert.match(own[0]?.consequence ?? '', /Nodes get no stack label/);
    const tokens = needed.filter(({ resource }) => resource === 'serviceaccounts/token');
    assert.deepEqual(
      tokens.map(({ name }) => name),
      ['stack-label-controller'],
    );
  });

  it('runs, and the metric of running controllers has its alias', async () => {
    const world = new AppWorld();
    world.addMachine('node-1');
    const app = world.start('a', { declarations });
    await world.clock.advance(20_000);
    assert.ok(world.isInitialised('node-1'));
    assert.match(
      JSON.stringify(world.model.store.collection('nodes').get('node-1')),
      /"example.com\/ip-stack"/,
    );
    const metrics = await app.metrics.render();
    assert.match(metrics, /^running_managed_controllers\{name="stack-label",.*\} 1$/m);
    assert.match(metrics, /^stack_labels_total\{outcome="applied"\} 1$/m);
    await app.stop();
  });

  it('writes nodes and events as its own account, while the manager writes the Lease', async () => {
    const world = new AppWorld();
    world.addMachine('node-1');
    world.addMachine('stopped');
    const writers = new Map<string, Set<string>>();
    const wrap = (
      transport: KubeTransport,
      account = 'cloud-controller-manager',
    ): KubeTransport => ({
      send(request) {
        const { method, path, body } = request;
        const [bare = ''] = path.split('?');
        const what = bare.includes('/events')
          ? `event of ${JSON.parse(String(body ?? '{}')).reportingComponent}`
          : bare;
        if (method !== 'GET') writers.set(what, (writers.get(what) ?? new Set()).add(account));
        return transport.send(request);
      },
      close: () => transport.close(),
    });
    const app = world.start('a', { declarations, hasAccounts: true, wrap });
    await world.clock.advance(20_000);
    await app.stop();
    const both = new Set(['node-controller', 'stack-label-controller']);
    assert.deepEqual(
      writers,
      new Map([
        [lease, new Set(['cloud-controller-manager'])],
        [`${lease}/cloud-controller-manager`, new Set(['cloud-controller-manager'])],
        ['/api/v1/nodes/node-1/status', new Set(['node-controller'])],
        ['/api/v1/nodes/stopped/status', new Set(['node-controller'])],
        ['/api/v1/nodes/node-1', both],
        ['/api/v1/nodes/stopped', both],
        ['event of cloud-node-controller', new Set(['node-controller'])],
        ['event of stack-label-controller', new Set(['stack-label-controller'])],
      ]),
    );
    const metrics = await app.metrics.render();
    for (const name of ['events-node-controller', 'events-stack-label-controller']) {
      assert.match(metrics, new RegExp(`^workqueue_depth\\{name="${name}"\\} 0$`, 'm'));
    }
  });
});
