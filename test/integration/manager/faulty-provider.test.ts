/**
 * A provider of somebody else's, given by its path, that answers nothing, garbage, too late or not at
 * all: a new node is told and keeps its taint, an initialised one keeps its addresses, others are
 * initialised, and all goes on when the cloud does.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answerFaults, callFaults, type Fault, labelFault } from './faulty-cloud/provider.ts';
import type { Scenario } from './scenario.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const module = join(import.meta.dirname, 'faulty-cloud', 'provider.ts');

/** A scenario's cloud, which can be told to misbehave about some nodes. */
interface Cloud {
  readonly provider: readonly string[];
  misbehave(faulty: readonly { readonly name: string; readonly fault: Fault }[]): Promise<void>;
}

async function faultyCloud({ directory }: Scenario): Promise<Cloud> {
  const file = join(directory, 'faults');
  await writeFile(file, '');
  return {
    provider: [`--cloud-provider=${module}`, `--cloud-config=${file}`],
    misbehave: (faulty) =>
      writeFile(file, faulty.map(({ name, fault }) => `${name}: ${fault}`).join('\n')),
  };
}

const often = ['--node-status-update-frequency=1s'];

describe('a cloud that misbehaves', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('about some nodes delays only those, and costs no address', async () => {
    await using scenario = await open();
    const cloud = await faultyCloud(scenario);
    const settled = answerFaults.map((fault, index) => ({ name: `settled-${index + 1}`, fault }));
    const fresh = answerFaults.map((fault, index) => ({ name: `fresh-${index + 11}`, fault }));
    for (const { name } of settled) await scenario.register({ name });
    const manager = await scenario.start({ provider: cloud.provider, flags: often });
    await scenario.untilInitialised(settled.map(({ name }) => name));

    await cloud.misbehave([...settled, ...fresh]);
    for (const { name } of fresh) await scenario.register({ name });
    for (const { name } of [...settled, ...fresh]) {
      const { type, note } = await scenario.untilSaid(name, 'InstanceLookupFailed');
      assert.equal(type, 'Warning');
      assert.match(note, /The manager retries it|Correct the provider/);
    }
    await scenario.register({ name: 'good-21' });
    await scenario.untilInitialised(['good-21']);
    for (const { name } of fresh) assert.ok(hasTaint(scenario.node(name)), name);
    for (const { name } of settled) assert.deepEqual(ipsOf(scenario.node(name)), [addressOf(name)]);

    await cloud.misbehave([]);
    await scenario.untilInitialised(fresh.map(({ name }) => name));
    for (const { name } of fresh) assert.deepEqual(ipsOf(scenario.node(name)), [addressOf(name)]);
    manager.assertRunning();
  });

  it('about labels gets the same event on every node, and labels that a person sets heal it', async () => {
    await using scenario = await open();
    const cloud = await faultyCloud(scenario);
    // The API server lists two faults in a random order, a different one for some of the nodes.
    const names = Array.from({ length: 8 }, (_, index) => `bad-${index + 1}`);
    await cloud.misbehave(names.map((name) => ({ name, fault: labelFault })));
    for (const name of names) await scenario.register({ name });
    const manager = await scenario.start({ provider: cloud.provider, flags: often });
    for (const name of names) {
      const { note } = await scenario.untilSaid(name, 'WriteRefused');
      assert.match(
        note,
        /the labels rack=not allowed! and row=nor this! .*nor this!.*not allowed!/,
      );
      assert.ok(hasTaint(scenario.node(name)));
    }
    for (const name of names) {
      await scenario.patchNode(name, { metadata: { labels: { rack: 'r1', row: '7' } } });
    }
    await scenario.untilInitialised(names);
    manager.assertRunning();
  });

  it('about all nodes costs no address, and is asked again until it answers', async () => {
    await using scenario = await open();
    const cloud = await faultyCloud(scenario);
    await scenario.register({ name: 'settled-1' });
    const manager = await scenario.start({ provider: cloud.provider, flags: often });
    await scenario.untilInitialised(['settled-1']);
    for (const [index, fault] of callFaults.entries()) {
      const name = `fresh-${index + 11}`;
      await cloud.misbehave([{ name, fault }]);
      await scenario.register({ name });
      const { note } = await scenario.untilSaid(name, 'InstanceLookupFailed');
      assert.match(note, /The manager retries it/);
      assert.ok(hasTaint(scenario.node(name)), fault);
      assert.deepEqual(ipsOf(scenario.node('settled-1')), ['10.6.0.1']);
      await cloud.misbehave([]);
    }
    await scenario.untilInitialised(callFaults.map((_, index) => `fresh-${index + 11}`));
    manager.assertRunning();
  });
});

/** The end of a name is the end of the address that the cloud gives it. */
function addressOf(name: string): string {
  return `10.6.0.${name.split('-').at(-1)}`;
}
