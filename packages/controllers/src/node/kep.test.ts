/**
 * The 24 rows of KEP-3705, for every source of requests, and for changed requests of running nodes.
 */
import assert from 'node:assert/strict';
import { requestRefusals } from '@tandem/core/node-address';
import type { NodeSettings } from '@tandem/core/node-init';
import { type KepRow, readKepRows } from '../../../../test/support/vectors.ts';
import type { ManagerOptions } from './manager.fixture.ts';
import { type NodeOrder, NodeWorld } from './node-world.fixture.ts';

const rows = readKepRows().map((row, index) => ({ ...row, name: `row-${index}` }));
type Row = (typeof rows)[number];

interface Source {
  readonly name: string;
  readonly order: (row: Row) => Partial<NodeOrder>;
  readonly policies?: NodeSettings['policies'];
}

const annotating =
  (key: string): Source['order'] =>
  ({ annotation }) =>
    annotation === null ? {} : { annotations: { [key]: annotation } };

const sources: readonly Source[] = [
  { name: 'kubelet’s annotation', order: annotating('alpha.kubernetes.io/provided-node-ip') },
  { name: 'the operator’s annotation', order: annotating('tandem.dev/node-ip') },
  {
    name: 'a policy',
    order: ({ name }) => ({ labels: { row: name } }),
    policies: rows.flatMap(({ name, annotation }) =>
      annotation === null
        ? []
        : [
            {
              name,
              selector: { matchLabels: { row: name } },
              request: annotation,
              overridesKubelet: false,
            },
          ],
    ),
  },
];

describe('every row of KEP-3705', () => {
  for (const { name, order, policies = [] } of sources) {
    it(`gives the addresses or the error of the KEP for a request by ${name}`, async () => {
      const { world } = await initialised({ order, settings: { policies } });
      for (const row of rows) assertAsTheKepHasIt(world, row);
    });
  }

  it('gives them within a second when the annotation of a running node changes', async () => {
    const key = 'tandem.dev/node-ip';
    const { world } = await initialised({ order: annotating(key) });
    const flips = rows.map((row, index) => ({ row, to: nextOfSameCloud(index) }));
    const before = new Map(rows.map(({ name }) => [name, world.node(name)]));
    for (const { row, to } of flips) world.annotate(row.name, { [key]: to.annotation });
    const lookups = world.cloud.counts.lookups;
    await world.clock.advance(900);
    for (const { row, to } of flips) {
      const { isInitialised, addresses } = world.node(row.name);
      const was = before.get(row.name);
      assert.equal(isInitialised, was?.isInitialised === true || to.error === null);
      const kept = was?.addresses.map(withoutType);
      assert.deepEqual(addresses.map(withoutType), to.error === null ? to.addresses : kept);
      if (to.error !== null) assertRefused(world, row.name);
    }
    // Refusals need a fresh answer: one call serves them all.
    assert.ok(world.cloud.counts.lookups <= lookups + 1);
  });
});

async function initialised({
  order,
  settings = {},
}: {
  readonly order: Source['order'];
  readonly settings?: NonNullable<ManagerOptions['settings']>;
}): Promise<{ readonly world: NodeWorld }> {
  const world = new NodeWorld();
  for (const row of rows) {
    world.addMachine({ name: row.name, addresses: [], cloud: row.cloud, ...order(row) });
  }
  world.start({ settings });
  await world.clock.advance(1_000);
  return { world };
}

function assertAsTheKepHasIt(world: NodeWorld, { name, error, addresses }: Row): void {
  const node = world.node(name);
  assert.equal(node.isInitialised, error === null, name);
  if (error === null) assert.deepEqual(node.addresses.map(withoutType), addresses, name);
  else assertRefused(world, name);
}

function assertRefused(world: NodeWorld, name: string): void {
  const warning = world.events(name).find(({ type }) => type === 'Warning');
  assert.ok(warning !== undefined && Object.hasOwn(requestRefusals, warning.reason), name);
}

function nextOfSameCloud(index: number): KepRow {
  const row = rows[index];
  const cloud = JSON.stringify(row?.cloud);
  const others = [...rows.slice(index + 1), ...rows.slice(0, index + 1)];
  const next = others.find(
    (other) => JSON.stringify(other.cloud) === cloud && other.annotation !== row?.annotation,
  );
  assert.ok(next !== undefined);
  return next;
}

function withoutType(entry: string): string {
  return entry.split(' ')[1] ?? '';
}
