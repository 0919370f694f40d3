/**
 * Inventories that people get wrong: a faulty entry costs its own nodes their turn and nobody else's,
 * says in which line it is, and counts once it is set right; a file that cannot be read at all changes
 * nothing.
 */
import assert from 'node:assert/strict';
import { head } from './inventory.ts';
import { hasTaint, ipsOf } from './seen-node.ts';
import { useInstallation } from './installation.ts';

const entry = (name: string, address: string, more = ''): string =>
  `  - {name: ${name}, addresses: [{type: InternalIP, address: "${address}"}]${more}}\n`;

const faulty = [
  `${head}instances:\n`,
  entry('first', '10.5.0.1'),
  entry('doubled', '10.5.0.2'),
  entry('doubled', '10.5.0.3'),
  entry('same-id-a', '10.5.0.4', ', providerID: "static:///same"'),
  entry('same-id-b', '10.5.0.5', ', providerID: "static:///same"'),
  entry('malformed', '10.5.0.999'),
  entry('prefixed', '10.5.0.6/24'),
  '  - {name: odd-type, addresses: [{type: InternalIp, address: 10.5.0.7}]}\n',
  entry('last', 'fd00:5::1'),
].join('');

/** Of two that collide the first counts. */
const right = ['first', 'doubled', 'same-id-a', 'last'];
const wrong = ['same-id-b', 'malformed', 'prefixed', 'odd-type'];

const mended = [
  faulty.split('\n').slice(0, 5).join('\n'),
  '\n',
  entry('same-id-a', '10.5.0.4', ', providerID: "static:///same"'),
  ...wrong.map((name, index) => entry(name, `10.5.1.${index}`)),
  entry('last', 'fd00:5::1'),
  entry('later', '10.5.1.99'),
].join('');

describe('an inventory with mistakes', function () {
  const { open } = useInstallation();
  this.timeout(180_000);

  it('delays only the wrong entries, names their positions, and recovers without a restart', async () => {
    await using scenario = await open();
    await scenario.inventory.writeText(faulty);
    for (const name of [...right, ...wrong]) await scenario.register({ name });
    const manager = await scenario.start();
    await scenario.untilInitialised(right);
    assert.deepEqual(ipsOf(scenario.node('doubled')), ['10.5.0.2']);

    for (const name of wrong) {
      const { note, type } = await scenario.untilSaid(name, 'InstanceLookupFailed');
      assert.equal(type, 'Warning');
      assert.match(note, /inventory\.yaml:\d+/);
      assert.ok(hasTaint(scenario.node(name)));
    }
    const told = manager.log.filter(({ msg }) => msg === 'Refused inventory entry');
    const places = told.map(({ at }) => String(at).replace(/^.*inventory\.yaml:(\d+):.*$/, '$1'));
    assert.deepEqual(places, ['6', '8', '9', '10', '11']);

    await scenario.inventory.writeText('instances: [');
    await manager.says(/^Could not use inventory/);
    manager.assertRunning();
    await scenario.register({ name: 'later' });
    await scenario.inventory.writeText(mended);
    await scenario.untilInitialised(['later', ...wrong]);
    assert.deepEqual(ipsOf(scenario.node('malformed')), ['10.5.1.1']);
    manager.assertRunning();
  });
});
