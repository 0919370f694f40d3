/**
 * The 24 rows of KEP-3705 over HTTPS: as what kubelet annotates, as the operator's own
 * annotation and by a policy; first on nodes that register, then on nodes that run.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorAnnotation } from '@tandem/core/node-address';
import { stringify } from 'yaml';
import type { SimulatedKubelet } from '../../support/simulated-kubelet/index.ts';
import { type KepRow, readKepRows } from '../../support/vectors.ts';
import type { Scenario } from './scenario.ts';
import { addressesOf, hasTaint, ipsOf, type SeenEvent } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const sources = ['kubelet', 'operator', 'policy'] as const;
type Source = (typeof sources)[number];

const rows = readKepRows();

/** A node that has asked for what some row asks for. */
interface Asking {
  readonly name: string;
  readonly source: Source;
  readonly kubelet: SimulatedKubelet;
  /** Which row it stands for now. */
  row: number;
  /** The IPs that it should have: those of the last row that was not refused. */
  ips: readonly string[];
  isInitialised: boolean;
}

describe('the rows of KEP-3705, under the manager,', function () {
  const { open } = useInstallation();
  this.timeout(120_000);
  let scenario: Scenario;
  const nodes: Asking[] = [];

  before(async () => {
    const names = sources.flatMap((source) => rows.map((_, row) => `${source}-${row}`));
    scenario = await open({
      machines: names.map((name) => ({ name, addresses: rowOf(name).cloud })),
    });
    const config = join(scenario.directory, 'config.yaml');
    await writeFile(config, stringify(configuration()));
    for (const source of sources) {
      nodes.push(...(await Promise.all(rows.map((_, row) => register(source, row)))));
    }
    await scenario.start({ flags: [`--config=${config}`] });
  });

  after(() => scenario?.[Symbol.asyncDispose]());

  async function register(source: Source, row: number): Promise<Asking> {
    const name = `${source}-${row}`;
    const { nodeIP, annotation } = at(row);
    const kubelet = await scenario.register({
      name,
      ...(source === 'kubelet' ? { nodeIP } : {}),
      ...(source === 'operator' && annotation !== null
        ? { annotations: { [operatorAnnotation]: annotation } }
        : {}),
      ...(source === 'policy' ? { labels: { asks: labelOf(annotation) } } : {}),
    });
    return { name, source, kubelet, row, ips: ipsOf(scenario.node(name)), isInitialised: false };
  }

  /** Lets a running node stand for another row. */
  async function flip(node: Asking, row: number): Promise<void> {
    const { nodeIP, annotation } = at(row);
    node.row = row;
    switch (node.source) {
      case 'kubelet':
        return node.kubelet.restart({ nodeIP });
      case 'operator':
        return scenario.annotate(node.name, { [operatorAnnotation]: annotation });
      case 'policy':
        return scenario.patchNode(node.name, {
          metadata: { labels: { asks: labelOf(annotation) } },
        });
    }
  }

  /** Waits until the node is as its row says. */
  async function arrive(node: Asking): Promise<void> {
    const row = at(node.row);
    const { name } = node;
    if (row.addresses === null) {
      await scenario.until(() => isRefused(scenario.eventsOf(name), row));
    } else {
      node.ips = row.addresses;
      node.isInitialised = true;
      await scenario.until(() => {
        assert.deepEqual(addressesOf(scenario.node(name)), [
          ...node.ips.map((ip) => `InternalIP ${ip}`),
          `Hostname ${name}`,
        ]);
        return !hasTaint(scenario.node(name));
      });
    }
    const seen = scenario.node(name);
    assert.deepEqual(ipsOf(seen), node.ips, `${name} of row ${node.row}`);
    assert.equal(hasTaint(seen), !node.isInitialised, name);
    if (node.isInitialised) assert.equal(seen.spec.providerID, `static:///${name}`);
  }

  for (const source of sources) {
    const how = {
      kubelet: "kubelet's annotation",
      operator: operatorAnnotation,
      policy: 'a policy',
    };
    it(`come out as addresses, or as refusals that keep the taint, by ${how[source]}`, async () => {
      for (const node of nodes.filter((asking) => asking.source === source)) await arrive(node);
    });
  }

  it('come out when requests of running nodes change, without waiting for a poll', async () => {
    for (const step of [1, 5]) {
      await Promise.all(nodes.map((node) => flip(node, nextRow(node.row, step))));
      for (const node of nodes) await arrive(node);
    }
    assert.ok(nodes.filter(({ isInitialised }) => isInitialised).length > nodes.length / 2);
  });
});

/** The row that is so many further in the same table: the machine behind a node stays the same. */
function nextRow(row: number, step: number): number {
  const { table } = at(row);
  const ofTable = [...rows.keys()].filter((index) => at(index).table === table);
  return ofTable[(ofTable.indexOf(row) + step) % ofTable.length] ?? row;
}

function at(row: number): KepRow {
  const found = rows[row];
  assert.ok(found !== undefined);
  return found;
}

function rowOf(name: string): KepRow {
  return at(Number(name.split('-')[1]));
}

/** The KEP's own words for a refusal, as the code that Tandem gives it. */
function codeOf({ error }: KepRow): string {
  return error?.startsWith('no ') === true ? 'NoAddressOfFamily' : 'AddressNotFound';
}

/** Whether a node was told of the refusal of this row, and not of another that it stood for before. */
function isRefused(events: readonly SeenEvent[], row: KepRow): boolean {
  const missing = (row.annotation ?? '')
    .split(',')
    .filter((token) => token !== 'IPv4' && !row.cloud.some(({ address }) => address === token));
  return events.some(
    ({ type, reason, note, reportingController }) =>
      type === 'Warning' &&
      reason === codeOf(row) &&
      reportingController === 'cloud-node-controller' &&
      missing.some((token) => note.includes(token)),
  );
}

/** Labels take neither commas nor colons. */
function labelOf(annotation: string | null): string {
  return annotation === null ? 'nothing' : annotation.replaceAll(/[,:]/g, '_');
}

function configuration(): object {
  const requests = new Set(rows.flatMap(({ annotation }) => annotation ?? []));
  return {
    apiVersion: 'tandem.dev/v1alpha1',
    kind: 'ManagerConfiguration',
    nodeIPPolicies: [...requests].map((request, index) => ({
      name: `policy-${index}`,
      selector: { matchLabels: { asks: labelOf(request) } },
      request,
    })),
  };
}
