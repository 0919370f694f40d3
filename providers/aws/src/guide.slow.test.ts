/** Checks the guide for AWS: its policies match the calls that the provider makes, and its example file works. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { RouteOperation } from '@tandem/provider/plug';
import { anInstance, aTable, withInstance, withTable } from '../../../test/support/ec2/index.ts';
import { openAWSWorld } from './aws.fixture.ts';

const guide = readFileSync(new URL('../../../docs/guides/aws.md', import.meta.url), 'utf8');

describe('the guide for AWS', () => {
  const { signal } = new AbortController();
  const { id, privateDnsName } = anInstance(1);
  const nodes = [
    { name: privateDnsName, uid: '1', providerID: '', labels: {}, systemUUID: '' },
    { name: 'any', uid: '2', providerID: id, labels: {}, systemUUID: '' },
  ];

  it('has a cloud.conf with which a provider starts and finds both families', async () => {
    await using world = await openAWSWorld(blockOf('ini'));
    world.ec2.state = withInstance(world.ec2.state, anInstance(1));
    const answers = await world.provider.lookup(nodes, { maxAgeMs: 0, signal });
    assert.equal(answers.size, nodes.length);
    for (const answer of answers.values()) {
      assert(answer.kind === 'found');
      const internal = answer.instance.addresses.filter(({ type }) => type === 'InternalIP');
      assert.equal(internal.length, 2);
    }
    const complaints = world.log.filter((line) => JSON.parse(line).level !== 'info');
    assert.deepEqual(complaints, []);
  });

  it('allows exactly the calls that look-ups make', async () => {
    await using world = await openAWSWorld();
    world.ec2.state = withInstance(world.ec2.state, anInstance(1, { type: 'p5.48xlarge' }));
    await world.provider.checkAccess?.({ signal });
    await world.provider.lookup(nodes, { maxAgeMs: 0, signal });
    assert.deepEqual(callsOf(world.ec2), actionsOf('Instances'));
  });

  it('allows exactly the calls that routes make, beside those of look-ups', async () => {
    await using world = await openAWSWorld();
    const table = aTable(1);
    world.ec2.state = withTable(withInstance(world.ec2.state, anInstance(1)), table);
    const { routes } = world.provider;
    assert(routes !== undefined);
    await routes.list({ signal });
    const to = { key: id, name: 'any', addresses: {} };
    const destination = '10.244.0.0/24';
    const route = { table: table.id, route: destination };
    const operations: RouteOperation[] = [
      { kind: 'create', table: table.id, destination, to },
      { kind: 'replace', ...route, to },
      { kind: 'delete', ...route },
    ];
    const outcomes = await routes.apply(operations, { signal, beforeWrite: () => {} });
    assert(outcomes.every(({ kind }) => kind === 'applied'));
    const allowed = new Set([...actionsOf('Instances'), ...actionsOf('Routes')]);
    const made = callsOf(world.ec2);
    for (const action of made) assert(allowed.has(action), action);
    for (const action of actionsOf('Routes')) assert(made.includes(action), action);
  });
});

function callsOf({ calls }: { readonly calls: readonly string[] }): string[] {
  return [...new Set(calls)].toSorted();
}

/** Returns the actions of the statement with this Sid, in any policy of the guide. */
function actionsOf(sid: string): string[] {
  const policies: { Statement: { Sid: string; Action: string[] }[] }[] = blocksOf('json').map(
    (text) => JSON.parse(text),
  );
  const statement = policies.flatMap(({ Statement }) => Statement).find(({ Sid }) => Sid === sid);
  assert(statement !== undefined, `the guide has no statement ${sid}`);
  return statement.Action.map((action) => action.replace('ec2:', '')).toSorted();
}

function blockOf(language: string): string {
  const [block] = blocksOf(language);
  assert(block !== undefined, `the guide has no ${language}`);
  return block;
}

function blocksOf(language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs');
  return [...guide.matchAll(pattern)].map(([, text = '']) => text);
}
