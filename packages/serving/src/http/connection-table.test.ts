import assert from 'node:assert/strict';
import { virtualClock } from '@tandem/runtime/testing';
import { connectionLimits, ConnectionTable } from './connection-table.ts';

class Connection {
  readonly name: string;
  isOpen = true;
  constructor(name: string) {
    this.name = name;
  }
  destroy(): void {
    this.isOpen = false;
  }
}

function aTable() {
  const clock = virtualClock();
  const shed: string[] = [];
  const table = new ConnectionTable<Connection>({
    clock,
    onCount: () => undefined,
    onShed: (reason) => void shed.push(reason),
  });
  const open = (name: string): Connection => {
    const connection = new Connection(name);
    table.opened(connection);
    return connection;
  };
  return { clock, shed, table, open };
}

const { connectionsMax } = connectionLimits;

describe('the table of connections', () => {
  it('closes the connection that is idle for longest when a new one exceeds the limit', () => {
    const { table, open, shed } = aTable();
    const all = Array.from({ length: connectionsMax }, (_, index) => open(`${index}`));
    const [first, second, third] = all;
    assert.ok(first && second && third);
    table.began(first);
    table.began(second);
    table.ended(second);
    const newcomer = open('newcomer');
    assert.deepEqual(
      [first, second, third, newcomer].map(({ isOpen }) => isOpen),
      [true, true, false, true],
    );
    assert.equal(table.size, connectionsMax);
    assert.deepEqual(shed, ['crowded']);
  });

  it('never refuses a new connection, even when all others are busy', () => {
    const { table, open } = aTable();
    for (let index = 0; index < 3 * connectionsMax; index++) {
      const newcomer = open(`${index}`);
      assert.ok(newcomer.isOpen);
      table.began(newcomer);
      assert.ok(table.size <= connectionsMax);
    }
  });

  it('closes a connection without a request after 30 seconds, and an idle one after 90', async () => {
    const { clock, table, open } = aTable();
    const silent = open('silent');
    const asked = open('asked');
    const busy = open('busy');
    table.began(asked);
    table.ended(asked);
    table.began(busy);
    await clock.advance(29_000);
    assert.ok(silent.isOpen);
    await clock.advance(2_000);
    assert.ok(!silent.isOpen && asked.isOpen);
    await clock.advance(60_000);
    assert.ok(!asked.isOpen && busy.isOpen);
  });

  it('keeps no timer without connections', async () => {
    const { clock, table, open } = aTable();
    table.closed(open('only'));
    assert.equal(clock.pending, 0);
    open('silent');
    await clock.advance(40_000);
    assert.equal(clock.pending, 0);
  });

  it('counts concurrent requests of one connection, and does not close it as idle before the last ends', () => {
    const { table, open } = aTable();
    const connection = open('pipelining');
    assert.deepEqual([table.began(connection), table.began(connection)], [1, 2]);
    table.ended(connection);
    table.close('idle');
    assert.ok(connection.isOpen);
    table.ended(connection);
    table.close('idle');
    assert.ok(!connection.isOpen);
  });
});
