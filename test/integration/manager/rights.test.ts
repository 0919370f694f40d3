/**
 * The shipped rights, no more and no less: every verb of `manifests/rendered/rbac.yaml` is used by a story in
 * which all sorts of things happen, nothing else is asked for, and a manager that lacks a rule says so.
 */
import assert from 'node:assert/strict';
import { systemClock } from '@tandem/runtime';
import type { ControlPlane } from '../../control-plane/index.ts';
import type { CuttingProxy, Exchange } from '../../support/cutting-proxy/index.ts';
import { aMachine } from './inventory.ts';
import type { Scenario } from './scenario.ts';
import { apply, describeRight, rightOf, rightsOf, withoutRule } from './shipped-access.ts';
import { quickLease } from './manager-process.ts';
import { useInstallation } from './installation.ts';

const account = 'system:serviceaccount:kube-system:cloud-controller-manager';

const impatient = [
  '--node-monitor-period=1s',
  '--node-deletion-min-age=1s',
  '--node-deletion-grace=1s',
  ...quickLease,
];

describe('the rights of the shipped manifest', function () {
  const { open, installation } = useInstallation();
  this.timeout(120_000);

  /** A server that has no streaming lists, once. */
  function refuseStreamingList(proxy: CuttingProxy): void {
    const message =
      'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled';
    proxy.interfere({
      on: ({ query }) => query.get('sendInitialEvents') === 'true',
      nth: 1,
      when: 'before',
      act: () => ({ status: 422, reason: 'Invalid', message }),
    });
  }

  /** Another program adds a taint between the plan for a node and its second write. */
  function disturb(scenario: Scenario, proxy: CuttingProxy, name: string): void {
    proxy.interfere({
      on: ({ method, path }) => method === 'PATCH' && path === `/api/v1/nodes/${name}`,
      nth: 1,
      when: 'before',
      async act(): Promise<'pass'> {
        const taints = scenario.node(name).spec.taints ?? [];
        const more = { key: 'example.com/busy', effect: 'NoSchedule' };
        await scenario.patchNode(name, { spec: { taints: [more, ...taints] } });
        return 'pass';
      },
    });
  }

  const isEvent = ({ path }: Exchange): boolean => path.includes('/events');

  /** The answer to the first event is lost: it has to be looked at when it is sent again. */
  function loseEventAnswer(proxy: CuttingProxy): void {
    proxy.interfere({
      on: (exchange) => exchange.method === 'POST' && isEvent(exchange),
      nth: 1,
      when: 'after',
      act: () => 'drop',
    });
  }

  /** The same refusal twice is one event that is counted on. */
  async function refuseTwice(scenario: Scenario, name: string): Promise<void> {
    const annotate = (request: string): Promise<void> =>
      scenario.patchNode(name, { metadata: { annotations: { 'tandem.dev/node-ip': request } } });
    const countOf = (): number => {
      const events = scenario.eventsOf(name).filter(({ reason }) => reason === 'InvalidSyntax');
      return events[0] === undefined ? 0 : (events[0].series?.count ?? 1);
    };
    await annotate('nonsense');
    await scenario.until(() => countOf() === 1);
    await annotate('IPv4');
    await scenario.until(
      () => !JSON.stringify(scenario.node(name).status.addresses).includes('fd00:'),
    );
    await annotate('nonsense');
    await scenario.until(() => countOf() === 2);
  }

  it('are all used, and are enough', async () => {
    const fromMs = systemClock.now();
    await using scenario = await open({
      machines: [aMachine('plain', 1), aMachine('disturbed', 2)],
    });
    await scenario.register({ name: 'plain' });
    await scenario.register({ name: 'refused', providerID: 'other:///refused' });
    const proxy = await scenario.proxy();
    refuseStreamingList(proxy);
    disturb(scenario, proxy, 'disturbed');
    loseEventAnswer(proxy);
    const first = await scenario.start({ through: proxy, flags: impatient });
    await scenario.untilInitialised(['plain']);
    await scenario.register({ name: 'disturbed' });
    await scenario.untilInitialised(['disturbed']);
    await scenario.untilSaid('refused', 'ForeignProviderID');
    await scenario.until(() => proxy.exchanges.some((one) => isEvent(one) && one.method === 'GET'));
    await refuseTwice(scenario, 'plain');
    const second = await scenario.start({ flags: impatient });
    await second.says(/standby/);
    await first.stop();
    await scenario.register({ name: 'gone', providerID: 'static:///gone' });
    await scenario.until(() => !scenario.nodes.objects.has('gone'), 30_000);
    await second.stop();

    const { used, forbidden } = await requestsSince(installation().controlPlane, fromMs);
    assert.deepEqual(forbidden, []);
    const given = rightsOf(installation().manifest).map(describeRight);
    assert.deepEqual([...used].toSorted(), [...new Set(given)].toSorted());
  });

  it('are missed when a rule of them is taken away', async () => {
    const silent: string[] = [];
    const rules = installation().manifest.flatMap(({ metadata, rules: given = [] }) =>
      given.map((_, index) => ({ role: metadata.name, index })),
    );
    for (const [number, rule] of rules.entries()) {
      await using scenario = await open({ machines: [aMachine('lacking', 1)] });
      const copy = withoutRule(installation().manifest, rule, `-${number}`);
      const token = await apply(scenario.controlPlane.admin, copy);
      await scenario.register({ name: 'lacking' });
      await scenario.register({ name: 'lacking-gone' });
      const manager = await scenario.start({ token, flags: impatient });
      const isTold = (): boolean =>
        manager.log.some(({ level }) => level === 'warn' || level === 'error');
      await scenario
        .until(isTold, 15_000)
        .catch(() => silent.push(`${rule.role} rule ${rule.index}`));
    }
    assert.deepEqual(silent, []);
  });
});

/** What the manager's account asked the API server for, by the server's own record. */
async function requestsSince(
  controlPlane: ControlPlane,
  fromMs: number,
): Promise<{ used: Set<string>; forbidden: string[] }> {
  const used = new Set<string>();
  const forbidden: string[] = [];
  for (const entry of await controlPlane.audited(fromMs)) {
    const { objectRef, user, responseStatus } = entry;
    if (user.username !== account || objectRef === undefined) continue;
    // Every account may ask what it may do.
    if (objectRef.resource === 'selfsubjectaccessreviews') continue;
    if (responseStatus?.code === 403) forbidden.push(entry.requestURI);
    else used.add(describeRight(rightOf(entry)));
  }
  return { used, forbidden };
}
