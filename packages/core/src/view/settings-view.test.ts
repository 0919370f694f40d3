import assert from 'node:assert/strict';
import { formatCidr, parseCidr } from '../ip/index.ts';
import type { PlanSettings } from './settings-view.ts';
import { readSettings, showSettings } from './settings-view.ts';

function cidr(text: string) {
  const parsed = parseCidr(text);
  assert.ok(parsed.kind === 'cidr');
  return parsed.cidr;
}

const given: PlanSettings = {
  settings: {
    policies: [
      {
        name: 'storage',
        selector: { matchLabels: { pool: 'storage' } },
        request: 'IPv6,IPv4',
        overridesKubelet: true,
      },
    ],
    exclusions: [
      { cidr: cidr('10.0.0.5/32'), reason: 'apiVIP', isVip: true },
      { cidr: cidr('192.0.2.0/24'), type: 'InternalIP', reason: 'storage network' },
    ],
    gates: { CloudNodeIPs: true },
    refreshLabels: false,
  },
  routes: {
    clusterCIDRs: [cidr('10.244.0.0/16'), cidr('fd00:10:244::/48')],
    families: ['IPv4', 'IPv6'],
    selector: { matchExpressions: [{ key: 'edge', operator: 'DoesNotExist' }] },
    allocates: true,
  },
};

describe('the settings of a manager as data', () => {
  const cases: { name: string; given: PlanSettings }[] = [
    { name: 'with routes', given },
    { name: 'without routes', given: { ...given, routes: undefined } },
  ];
  for (const each of cases) {
    it(`are read back without a change, ${each.name}`, () => {
      const wire: unknown = JSON.parse(JSON.stringify(showSettings(each.given)));
      const read = readSettings(wire as ReturnType<typeof showSettings>);
      assert.deepEqual(textOf(read), textOf(each.given));
    });
  }

  it('are rejected as a whole if a network is malformed', () => {
    const shown = showSettings(given);
    const [first] = shown.exclusions;
    assert.ok(first !== undefined);
    assert.equal(
      readSettings({ ...shown, exclusions: [{ ...first, cidr: '10.0.0.5' }] }),
      undefined,
    );
    const routes = { ...showSettings(given).routes, clusterCIDRs: ['nonsense'] };
    assert.equal(readSettings({ ...shown, routes: routes as typeof shown.routes }), undefined);
  });
});

/** The settings with networks in canonical spelling, so that they are compared by value. */
function textOf(settings: PlanSettings | undefined): unknown {
  return JSON.parse(
    JSON.stringify(settings, (_, value: unknown) =>
      typeof value === 'object' && value !== null && 'prefixLength' in value
        ? formatCidr(value as ReturnType<typeof cidr>)
        : value,
    ),
  );
}
