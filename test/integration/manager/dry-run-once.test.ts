/**
 * One look of a dry run, as a pipeline runs it: it ends by itself, with a summary on standard output and
 * an exit code that says whether something would change, whatever the cloud and the API server do.
 * `../troubles-in-real-times.test.ts` has the look whose credentials are refused, which takes a minute.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aMachine } from './inventory.ts';
import { ManagerProcess } from './manager-process.ts';
import type { Scenario, StartOptions } from './scenario.ts';
import { hasTaint } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const faulty = join(import.meta.dirname, 'faulty-cloud', 'provider.ts');

async function look(
  scenario: Scenario,
  { flags = [], ...options }: StartOptions = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const manager = await scenario.start({
    ...options,
    flags: ['--logging-format=text', '--dry-run', '--once', ...flags],
  });
  const { code } = await manager.ended();
  return { code, stdout: manager.stdout, stderr: manager.stderr };
}

describe('one look of a dry run', function () {
  const { open, installation } = useInstallation();
  this.timeout(120_000);

  it('exits 3 where something would change, names it, and writes nothing', async () => {
    await using scenario = await open({ machines: [aMachine('new', 1), aMachine('asking', 2)] });
    await scenario.register({ name: 'new' });
    await scenario.register({ name: 'asking', nodeIP: '192.0.2.9' });
    await scenario.register({ name: 'unlisted' });
    const { code, stdout, stderr } = await look(scenario);
    assert.equal(code, 3, stderr);
    assert.match(stdout, /^Dry run: 1 of 3 nodes would change\n/);
    assert.match(stdout, /^ {2}would initialise +1: new$/m);
    assert.match(stdout, /^ {2}would write addresses +1: new$/m);
    assert.match(stdout, /^ {2}would be refused: AddressNotFound +1: asking$/m);
    assert.match(stdout, /^ {2}would be refused: InstanceNotFound +1: unlisted$/m);
    assert.ok(hasTaint(scenario.node('new')));
    assert.equal(await scenario.leaseHolder(), '');
    assert.doesNotMatch(stderr, /addresses are stored and/);
  });

  it('exits 0 where nothing would, beside the manager that did it', async () => {
    await using scenario = await open({ machines: [aMachine('done', 1)] });
    const manager = await scenario.start();
    await scenario.register({ name: 'done' });
    await scenario.untilInitialised(['done']);
    // As people start it: without a word about a port.
    const flags = [
      '--cloud-provider=static',
      `--cloud-config=${scenario.inventory.path}`,
      `--kubeconfig=${await scenario.kubeconfig()}`,
      '--logging-format=json',
      '--dry-run',
      '--once',
    ];
    const looking = new ManagerProcess(installation().bundle, flags);
    const { code } = await looking.ended();
    assert.equal(code, 0, looking.tail);
    assert.doesNotMatch(looking.stderr, /secure port/);
    const { result, nodes } = JSON.parse(looking.stdout);
    assert.deepEqual([result, nodes], ['unchanged', 1]);
    manager.assertRunning();
  });

  it('exits 1 where the cloud does not answer for a node, and tells what it knows', async () => {
    await using scenario = await open();
    const faults = join(scenario.directory, 'faults');
    await writeFile(faults, 'silent-1: left out\n');
    await scenario.register({ name: 'silent-1' });
    await scenario.register({ name: 'good-2' });
    const provider = [`--cloud-provider=${faulty}`, `--cloud-config=${faults}`];
    const { code, stdout, stderr } = await look(scenario, { provider });
    assert.equal(code, 1, stderr);
    assert.match(stdout, /; 1 unknown\n/);
    assert.match(stdout, /^ {2}would initialise +1: good-2$/m);
    assert.match(stdout, /^ {2}no answer from the cloud +1: silent-1$/m);
  });

  it('exits 1 where the API server does not answer in the time allowed', async () => {
    await using scenario = await open();
    await scenario.register({ name: 'any' });
    const proxy = await scenario.proxy();
    proxy.interfere({ on: () => true, when: 'before', act: () => 'hang' });
    const { code, stdout } = await look(scenario, { through: proxy, flags: ['--once-timeout=4s'] });
    assert.equal(code, 1);
    assert.match(stdout, /^Dry run: result unknown\. The manager did not get the list of nodes/);
  });

  it('exits 1 where it may not list nodes, with the words of the API server', async () => {
    await using scenario = await open();
    await scenario.register({ name: 'any' });
    const proxy = await scenario.proxy();
    const message =
      'nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope';
    proxy.interfere({
      on: ({ path }) => path.startsWith('/api/v1/nodes'),
      when: 'before',
      act: () => ({ status: 403, reason: 'Forbidden', message }),
    });
    const flags = ['--once-timeout=12s'];
    const { code, stdout, stderr } = await look(scenario, { through: proxy, flags });
    assert.equal(code, 1);
    const why =
      'The manager did not get the list of nodes: nodes is forbidden: User "jane" cannot list';
    assert.ok(stdout.includes(why), stdout);
    assert.match(stderr, /Dry run: waiting for the list of nodes".*nodes is forbidden: User/);
  });

  it('exits 2 without --dry-run', async () => {
    await using scenario = await open();
    const manager = await scenario.start({ flags: ['--once'] });
    const { code } = await manager.ended();
    assert.equal(code, 2);
    assert.match(manager.stderr, /^error: --once requires --dry-run/m);
  });
});
