/** Checks the guide for Azure: its roles match the calls that the provider makes, and its example file works. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RouteOperation } from '@tandem/provider/plug';
import {
  aConfiguration,
  aMachine,
  anInstance,
  anInterface,
  aScaleSet,
  aTable,
  type FakeArm,
  type FakeInterface,
  withMachine,
  withScaleSet,
  withTable,
} from '../../../test/support/arm/index.ts';
import { type AzureWorld, openAzureWorld } from './azure.fixture.ts';

const guide = readFileSync(new URL('../../../docs/guides/azure.md', import.meta.url), 'utf8');

describe('the guide for Azure', () => {
  const { signal } = new AbortController();
  const nodes = ['worker-1', 'pool000002'].map((name) => ({
    name,
    uid: name,
    providerID: '',
    labels: {},
    systemUUID: '',
  }));

  it('has an azure.json with which a provider starts', async () => {
    await using world = await openAzureWorld();
    const file: Record<string, unknown> = JSON.parse(blocksOf('json').at(-1) ?? '');
    const { cloud: _, ...rest } = file;
    const onFake = { ...rest, resourceManagerEndpoint: world.azure.arm.url };
    await using started = await openAzureWorld({ config: JSON.stringify(onFake) });
    assert.equal(started.provider.name, 'azure');
    assert(started.provider.routes !== undefined);
    assert.deepEqual(started.log, []);
  });

  it('allows exactly the calls that look-ups make', async () => {
    await using world = await openAzureWorld();
    fill(world);
    const { arm } = world.azure;
    await world.provider.checkAccess?.({ signal });
    arm.state = withTable(arm.state, aTable());
    const answers = await world.provider.lookup(nodes, { maxAgeMs: 0, signal });
    for (const answer of answers.values()) assert.equal(answer.kind, 'found');
    const made = actionsOf(arm).filter((action) => !/\/routeTables\//.test(action));
    assert.deepEqual(made, allowedBy('Tandem nodes'));
  });

  for (const header of ['Azure-AsyncOperation', 'Location'] as const) {
    it(`allows the calls that routes make, with operations that Azure names in ${header}`, async () => {
      await using world = await openAzureWorld();
      const { arm } = world.azure;
      arm.state = withTable(arm.state, aTable());
      arm.writes = { kind: 'async', header, polls: 0 };
      const { routes } = world.provider;
      assert(routes !== undefined);
      const { tables } = await routes.list({ signal });
      const [table] = tables;
      assert(table !== undefined);
      const to = { key: 'any', name: 'worker-1', addresses: { IPv4: '10.0.0.1' } };
      const destination = '10.244.0.0/24';
      const operations: RouteOperation[] = [{ kind: 'create', table: table.id, destination, to }];
      const applying = routes.apply(operations, { signal, beforeWrite: () => {} });
      const outcomes = await whileTimePasses(world, applying);
      assert(outcomes.every(({ kind }) => kind === 'applied'));
      const kind = header === 'Location' ? 'operationResults' : 'operations';
      const other = header === 'Location' ? 'operations' : 'operationResults';
      const want = allowedBy('Tandem routes').filter((action) => !action.includes(`/${other}/`));
      assert(want.some((action) => action.includes(`/${kind}/`)));
      assert.deepEqual(actionsOf(arm), want);
    });
  }
});

/** Advances the clock one millisecond at a time until the work ends, because the answers come over real sockets. */
async function whileTimePasses<T>({ clock }: AzureWorld, work: Promise<T>): Promise<T> {
  const ended: unknown[] = [];
  const note = (): unknown => ended.push(true);
  work.then(note, note);
  while (ended.length === 0) await clock.advance(1);
  return work;
}

/** Adds a virtual machine and an instance of a scale set, both with public addresses. */
function fill({ azure: { arm } }: AzureWorld): void {
  const withPublic = (number: number): FakeInterface => {
    const publicAddress = { name: `pip-${number}`, address: `192.0.2.${number}` };
    return anInterface(number, {
      configurations: [aConfiguration(`10.0.0.${number}`, { publicAddress })],
    });
  };
  arm.state = withMachine(arm.state, aMachine(1, { interfaces: [withPublic(1)] }));
  const instance = anInstance('pool', 2, { interfaces: [withPublic(2)] });
  arm.state = withScaleSet(arm.state, aScaleSet('pool', { instances: [instance] }));
}

function actionsOf({ requests }: FakeArm): string[] {
  return [...new Set(requests.flatMap(({ actions }) => actions))].toSorted();
}

function allowedBy(name: string): string[] {
  const blocks: { Name?: string; Actions?: string[] }[] = blocksOf('json').map((text) =>
    JSON.parse(text),
  );
  const role = blocks.find(({ Name }) => Name === name);
  assert(role?.Actions !== undefined, `the guide has no role ${name}`);
  return role.Actions.toSorted();
}

function blocksOf(language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs');
  return [...guide.matchAll(pattern)].map(([, text = '']) => text);
}
